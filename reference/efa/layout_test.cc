// SPDX-License-Identifier: Apache-2.0
// Compares the table with the document: IDs, names, lengths, uses.
#include "reference/efa/layout.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "reference/efa/raw_address.h"

namespace wirelaw::efa {
namespace {

struct Expected {
  std::uint8_t id;
  std::string_view name;
  Category category;
  std::size_t header;
};

// Table 1.2 with 145 and 146. Lengths are from the tables of chapters 2 to 4; those of DC packets are as deployed.
constexpr Expected kExpected[] = {
    {3, "CTS", Category::non_req, 24},
    {4, "CTSDATA", Category::non_req, 24},
    {5, "READRSP", Category::non_req, 24},
    {7, "EOR", Category::non_req, 16},
    {8, "ATOMRSP", Category::non_req, 24},
    {9, "HANDSHAKE", Category::non_req, 8},
    {10, "RECEIPT", Category::non_req, 16},
    {11, "READ_NACK", Category::non_req, 16},
    {12, "PEER_ERROR", Category::non_req, 20},
    {64, "EAGER_MSGRTM", Category::req, 8},
    {65, "EAGER_TAGRTM", Category::req, 16},
    {66, "MEDIUM_MSGRTM", Category::req, 24},
    {67, "MEDIUM_TAGRTM", Category::req, 32},
    {68, "LONGCTS_MSGRTM", Category::req, 24},
    {69, "LONGCTS_TAGRTM", Category::req, 32},
    {70, "EAGER_RTW", Category::req, 8},
    {71, "LONGCTS_RTW", Category::req, 24},
    {72, "SHORT_RTR", Category::req, 24},
    {73, "LONGCTS_RTR", Category::req, 24},
    {74, "WRITE_RTA", Category::req, 24},
    {75, "FETCH_RTA", Category::req, 24},
    {76, "COMPARE_RTA", Category::req, 24},
    {128, "LONGREAD_MSGRTM", Category::req, 24},
    {129, "LONGREAD_TAGRTM", Category::req, 32},
    {130, "LONGREAD_RTW", Category::req, 24},
    {133, "DC_EAGER_MSGRTM", Category::req, 16},
    {134, "DC_EAGER_TAGRTM", Category::req, 24},
    {135, "DC_MEDIUM_MSGRTM", Category::req, 32},
    {136, "DC_MEDIUM_TAGRTM", Category::req, 40},
    {137, "DC_LONGCTS_MSGRTM", Category::req, 24},
    {138, "DC_LONGCTS_TAGRTM", Category::req, 32},
    {139, "DC_EAGER_RTW", Category::req, 16},
    {140, "DC_LONGCTS_RTW", Category::req, 24},
    {141, "DC_WRITE_RTA", Category::req, 24},
    {145, "RUNTREAD_MSGRTM", Category::req, 40},
    {146, "RUNTREAD_TAGRTM", Category::req, 48},
};

TEST(Layout, HasEveryPacketTypeOfTheDocumentWithItsLength) {
  std::size_t formats = 0;
  for (const Layout& row : all_layouts()) formats += row.has_format() ? 1 : 0;
  EXPECT_EQ(formats, std::size(kExpected));
  for (const Expected& expected : kExpected) {
    const Layout* const row = find_layout(expected.id);
    ASSERT_NE(row, nullptr) << expected.name;
    EXPECT_TRUE(row->has_format()) << expected.name;
    EXPECT_EQ(row->name, expected.name);
    EXPECT_EQ(row->category, expected.category) << expected.name;
    EXPECT_EQ(row->header_octets, expected.header) << expected.name;
    EXPECT_EQ(find_layout(expected.name), row);
  }
}

TEST(Layout, NamesTheTypesWithoutAFormatAndNoOthers) {
  for (const int id : {1, 2}) EXPECT_EQ(find_layout(static_cast<std::uint8_t>(id))->assignment, Assignment::deprecated);
  for (const int id : {6, 131, 132})
    EXPECT_EQ(find_layout(static_cast<std::uint8_t>(id))->assignment, Assignment::reserved);
  for (const int id : {142, 143, 144, 147})
    EXPECT_EQ(find_layout(static_cast<std::uint8_t>(id))->assignment, Assignment::later);
  for (const int id : {0, 13, 63, 77, 127, 148, 255}) EXPECT_EQ(find_layout(static_cast<std::uint8_t>(id)), nullptr);
  EXPECT_EQ(find_layout("NO_SUCH_TYPE"), nullptr);
}

TEST(Layout, GivesEveryNameOnce) {
  std::set<std::string_view> names;
  for (const Layout& row : all_layouts()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.full_name.empty());
    EXPECT_FALSE(row.section.empty());
  }
  std::set<std::string_view> fields;
  for (const FieldInfo& info : all_fields())
    if (info.field < Field::addr) {
      EXPECT_TRUE(fields.insert(info.name).second) << info.name;
    }
}

TEST(Layout, CarriesATagInTheTaggedKindsAlone) {
  for (const Layout& row : all_layouts()) {
    EXPECT_EQ(row.find(Field::tag) != nullptr, row.tagged) << row.name;
    if (row.tagged) {
      EXPECT_EQ(row.name.find("TAGRTM") != std::string_view::npos, true) << row.name;
      EXPECT_EQ(row.marks, flag::kMsg | flag::kTagged) << row.name;  // EFA/A-10
    }
  }
}

TEST(Layout, GivesARequestTheThreeOptionalHeadersInTheOrderOfTheirBits) {
  for (const Layout& row : all_layouts()) {
    if (!row.is_request()) continue;
    ASSERT_EQ(row.optional.size(), 3u) << row.name;
    EXPECT_EQ(row.optional[0].flag, 0x0001);
    EXPECT_EQ(row.optional[1].flag, 0x0002);
    EXPECT_EQ(row.optional[2].flag, 0x8000);
    EXPECT_EQ(row.allowed & 0x8003, 0x8003) << row.name;
    EXPECT_EQ(row.allowed & row.marks, row.marks) << row.name;
  }
}

TEST(Layout, SaysWhichFlagsAPacketMayHave) {
  EXPECT_EQ(describe(PacketType::eager_msgrtm).allowed, 0x8007);
  EXPECT_EQ(describe(PacketType::eager_tagrtm).allowed, 0x800f);
  EXPECT_EQ(describe(PacketType::longcts_msgrtm).allowed, 0xa007) << "bit 13 after a READ_NACK (EFA/A-15)";
  EXPECT_EQ(describe(PacketType::short_rtr).allowed, 0x8013);
  EXPECT_EQ(describe(PacketType::fetch_rta).allowed, 0x8023);
  EXPECT_EQ(describe(PacketType::cts).allowed, 0x8080);
  EXPECT_EQ(describe(PacketType::handshake).allowed, 0x800f);
  EXPECT_EQ(describe(PacketType::handshake).allowed_in(Revision::v2023_10), 0x8003);
  EXPECT_EQ(describe(PacketType::handshake).allowed_in(Revision::v2_6), 0x8007);
  EXPECT_EQ(describe(PacketType::handshake).allowed_in(Revision::main), 0x800f);
  EXPECT_EQ(describe(PacketType::receipt).allowed, 0x8000);
}

TEST(Layout, NamesEveryFlagThatAPacketMayHave) {
  for (const Layout& row : all_layouts())
    for (unsigned bit = 1; bit <= 0x8000; bit <<= 1)
      if ((row.allowed & bit) != 0) {
        EXPECT_NE(find_flag(row.flag_set, static_cast<std::uint16_t>(bit)), nullptr) << row.name << " " << bit;
      }
  EXPECT_EQ(find_flag(FlagSet::request, 0x0001)->name, "REQ_OPT_RAW_ADDR_HDR");
  EXPECT_EQ(find_flag(FlagSet::handshake, 0x0001)->name, "HANDSHAKE_HOST_ID_HDR");
  EXPECT_EQ(find_flag(FlagSet::cts, 0x0001), nullptr);
}

TEST(Layout, FindsTheRequestOfASubprotocol) {
  EXPECT_EQ(find_request(Purpose::message, Transfer::eager)->id(), 64);
  EXPECT_EQ(find_request(Purpose::message, Transfer::medium, true, true)->id(), 136);
  EXPECT_EQ(find_request(Purpose::message, Transfer::runting_read, true)->id(), 146);
  EXPECT_EQ(find_request(Purpose::write, Transfer::long_cts, false, true)->id(), 140);
  EXPECT_EQ(find_request(Purpose::read, Transfer::eager)->id(), 72);
  EXPECT_EQ(find_request(Purpose::message, Transfer::long_read, false, true), nullptr) << "there is no DC long read";
}

TEST(Layout, SaysWhatThePeerMustHaveAnnounced) {
  EXPECT_EQ(describe(PacketType::longread_rtw).extras, 0b0000001u);
  EXPECT_EQ(describe(PacketType::dc_write_rta).extras, 0b0000010u);
  EXPECT_EQ(describe(PacketType::runtread_msgrtm).extras, 0b0010001u);
  EXPECT_EQ(describe(PacketType::read_nack).extras, 0b1000000u);
  for (const Layout& row : all_layouts())
    EXPECT_EQ(row.extras != 0, (row.id() >= 128 && row.has_format()) || row.type == PacketType::read_nack ||
                                   row.type == PacketType::peer_error)
        << row.name;
}

TEST(Capability, HasThoseOfTable21ByTheirIds) {
  ASSERT_EQ(all_extras().size(), 10u);
  for (unsigned id = 0; id < 10; ++id) EXPECT_EQ(static_cast<unsigned>(all_extras()[id].id), id);
  EXPECT_EQ(find_extra(2)->kind, ExtraKind::request);
  EXPECT_EQ(find_extra(3)->kind, ExtraKind::request);
  EXPECT_EQ(find_extra(6)->name, "read_nack");
  EXPECT_EQ(find_extra(9)->name, "peer_error");
  EXPECT_EQ(find_extra(10), nullptr);
}

TEST(Capability, SaysWhatEachRevisionOfTheDocumentAssigns) {
  EXPECT_EQ(extras_of(Revision::v2023_10), 0x7fu);
  EXPECT_EQ(extras_of(Revision::v2_6), 0x1ffu);
  EXPECT_EQ(extras_of(Revision::main), 0x3ffu);
  EXPECT_EQ(baseline_of(Revision::v2023_10), 0u);
  EXPECT_EQ(baseline_of(Revision::v2_6), 0x5au) << "1, 3, 4, 6";
  EXPECT_EQ(baseline_of(Revision::main), 0x5au);
  EXPECT_EQ(revision_named("2.6"), Revision::v2_6);
  EXPECT_EQ(revision_named("2.7"), std::nullopt);
  for (const RevisionInfo& one : all_revisions()) EXPECT_EQ(describe(one.revision).name, one.name);
}

TEST(Capability, IsOneBitOfTheLittleEndianMembers) {
  const OctetBuffer two{0x1a, 0, 0, 0, 0, 0, 0, 0, 0x01, 0, 0, 0, 0, 0, 0, 0x80};
  EXPECT_FALSE(announces(two, Extra::rdma_read));
  EXPECT_TRUE(announces(two, Extra::delivery_complete));
  EXPECT_TRUE(announces(two, 64));
  EXPECT_TRUE(announces(two, 127));
  EXPECT_FALSE(announces(two, 128)) << "beyond the array";
  EXPECT_EQ(extra_bits({Extra::delivery_complete, Extra::connid_header, Extra::runting_read}), 0x1au);
}

}  // namespace
}  // namespace wirelaw::efa
