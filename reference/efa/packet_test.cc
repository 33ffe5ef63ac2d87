// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/packet.h"

#include <gtest/gtest.h>

#include <random>

#include "reference/efa/locate.h"
#include "reference/octets/hex.h"

namespace wirelaw::efa {
namespace {

OctetBuffer hex(std::string_view text) {
  return *from_hex(text);
}

// Decodes, and owns the octets to which the packet refers.
struct Decoded {
  OctetBuffer octets;
  Packet packet;
  explicit Decoded(std::string_view text) : octets(hex(text)) {
    const auto result = decode(octets);
    EXPECT_TRUE(result) << result.error().part;
    if (result) packet = *result;
    EXPECT_EQ(to_hex(encode(packet)), to_hex(octets));
    EXPECT_EQ(header_octets(packet) + packet.payload.size(), octets.size());
  }
};

TEST(Packet, ReadsTheBaseHeaderInLittleEndianOrder) {
  const Decoded one("40 04 0480 01000000 fba9101b 616263");
  EXPECT_TRUE(one.packet.is(PacketType::eager_msgrtm));
  EXPECT_EQ(one.packet.version, 4);
  EXPECT_EQ(one.packet.flags, 0x8004);
  EXPECT_EQ(one.packet.msg_id, 1u);
  EXPECT_EQ(connid_of(one.packet), 0x1b10a9fbu);
  EXPECT_EQ(to_hex(one.packet.payload), "616263");
}

TEST(Packet, ReadsTheOptionalHeadersOfARequestInTheOrderOfTheirBits) {
  const Decoded one(
      "41 04 0f80 03000000 0377665544332211"  // EAGER_TAGRTM, msg_id 3, tag
      "20000000 fe80000000000000000000007f170002 a4ae 0000 a0f2102c 0000000000000000"
      "8877665544332211"  // CQ data
      "a0f2102c"          // connid
      "aabb");
  EXPECT_EQ(one.packet.tag, 0x1122334455667703u);
  EXPECT_EQ(one.packet.raw_address_size, 32u);
  const auto address = decode_raw_address(one.packet.raw_address);
  ASSERT_TRUE(address);
  EXPECT_EQ(address->qpn, 0xaea4);
  EXPECT_EQ(address->connid, 0x2c10f2a0u);
  EXPECT_EQ(one.packet.cq_data, 0x1122334455667788u);
  EXPECT_EQ(connid_of(one.packet), 0x2c10f2a0u);
  EXPECT_EQ(to_hex(one.packet.payload), "aabb");
}

TEST(Packet, ReadsCts) {
  const Decoded one("03 04 8080 0b98933f 01000000 02000000 742b000000000000");
  EXPECT_TRUE(one.packet.has(flag::kCtsEmulatedRead));
  EXPECT_EQ(connid_of(one.packet), 0x3f93980bu);
  EXPECT_EQ(one.packet.send_id, 1u);
  EXPECT_EQ(one.packet.recv_id, 2u);
  EXPECT_EQ(one.packet.recv_length, 0x2b74u);
}

TEST(Packet, KeepsThePaddingInAMultiuseWord) {
  const Decoded one("03 04 0000 0b98933f 01000000 02000000 742b000000000000");
  EXPECT_EQ(connid_of(one.packet), std::nullopt);
  EXPECT_EQ(one.packet.connid, 0x3f93980bu);
}

TEST(Packet, ReadsCtsdataWithAndWithoutConnid) {
  const Decoded with("04 04 0080 07000000 0300000000000000 ac22000000000000 39d59025 217f0000 e1e8ef");
  EXPECT_EQ(with.packet.recv_id, 7u);
  EXPECT_EQ(with.packet.seg_length, 3u);
  EXPECT_EQ(with.packet.seg_offset, 0x22acu);
  EXPECT_EQ(with.packet.connid_padding, 0x7f21u);
  EXPECT_EQ(to_hex(with.packet.payload), "e1e8ef");
  const Decoded without("04 04 0000 07000000 0300000000000000 ac22000000000000 e1e8ef");
  EXPECT_EQ(without.packet.payload.size(), 3u);
}

TEST(Packet, ReadsReadrspInTheDeployedOrderOfItsIds) {
  const Decoded one("05 04 0080 39d59025 0a000000 0b000000 0200000000000000 6162");
  EXPECT_EQ(one.packet.recv_id, 10u);
  EXPECT_EQ(one.packet.send_id, 11u);
  EXPECT_EQ(one.packet.recv_length, 2u);
}

TEST(Packet, ReadsEorOfSixteenAndOfTwelveOctets) {
  const Decoded whole("07 04 0080 01000000 02000000 39d59025");
  EXPECT_EQ(whole.packet.send_id, 1u);
  EXPECT_EQ(whole.packet.recv_id, 2u);
  EXPECT_EQ(connid_of(whole.packet), 0x2590d539u);
  const Decoded old("07 04 0000 01000000 02000000");
  EXPECT_TRUE(old.packet.short_header);
  EXPECT_EQ(old.packet.recv_id, 2u);
  EXPECT_FALSE(decode(hex("07 04 0080 01000000 02000000"))) << "it announces a connid that is not there";
  EXPECT_FALSE(decode(hex("0a 04 0000 01000000 02000000"))) << "a RECEIPT was never shorter";
}

TEST(Packet, ReadsAtomrspReceiptAndReadNack) {
  const Decoded atomrsp("08 04 0080 39d59025 11223344 05000000 0800000000000000 0102030405060708");
  EXPECT_EQ(atomrsp.packet.padding, 0x44332211u);
  EXPECT_EQ(atomrsp.packet.recv_id, 5u);
  EXPECT_EQ(atomrsp.packet.seg_length, 8u);
  const Decoded receipt("0a 04 0080 05000000 09000000 39d59025");
  EXPECT_EQ(receipt.packet.send_id, 5u);
  EXPECT_EQ(receipt.packet.msg_id, 9u);
  const Decoded nack("0b 04 0080 05000000 06000000 39d59025");
  EXPECT_EQ(nack.packet.send_id, 5u);
  EXPECT_EQ(nack.packet.recv_id, 6u);
}

TEST(Packet, ReadsHandshakeWithEveryOptionalBlockInTableOrder) {
  const Decoded one(
      "09 04 0380 05000000 1a00000000000000 0100000000000000"  // two members
      "fba9101b 01020304"                                      // connid and padding
      "8877665544332211"                                       // host_id
      "02fa0000 00000000");                                    // device_version and reserved
  EXPECT_EQ(one.packet.nextra_p3, 5u);
  EXPECT_EQ(one.packet.extra_info.size(), 16u);
  EXPECT_TRUE(announces(one.packet.extra_info, 64));
  EXPECT_EQ(connid_of(one.packet), 0x1b10a9fbu);
  EXPECT_EQ(one.packet.connid_padding, 0x04030201u);
  EXPECT_EQ(one.packet.host_id, 0x1122334455667788u);
  EXPECT_EQ(one.packet.device_version, 0xfa02u);
  EXPECT_TRUE(one.packet.payload.empty());
}

TEST(Packet, LeavesNoRoomForAHandshakeBlockThatIsNotThere) {
  const Decoded one("09 04 0100 04000000 1a00000000000000 8877665544332211");
  EXPECT_EQ(one.packet.host_id, 0x1122334455667788u);
}

TEST(Packet, KeepsWhatFollowsTheKnownBlocksOfAHandshake) {
  const Decoded one("09 04 1080 04000000 1a00000000000000 fba9101b 00000000 d27c000039300000");
  EXPECT_EQ(to_hex(one.packet.payload), "d27c000039300000");
}

TEST(Packet, TakesANumberOfExtraInfoBelowThreeForNone) {
  for (const auto* const count : {"00000000", "01000000", "03000000"}) {
    const Decoded one("09 04 0000" + std::string(count) + "1a00000000000000");
    EXPECT_TRUE(one.packet.extra_info.empty());
    EXPECT_EQ(one.packet.payload.size(), 8u);
  }
}

TEST(Packet, ReadsMediumAndItsDeliveryCompleteForm) {
  const Decoded one("43 04 0c00 01000000 0010000000000000 0008000000000000 0700000000000000 6162");
  EXPECT_EQ(one.packet.msg_id, 1u);
  EXPECT_EQ(one.packet.seg_length, 0x1000u);
  EXPECT_EQ(one.packet.seg_offset, 0x800u);
  EXPECT_EQ(one.packet.tag, 7u);
  const Decoded dc("87 04 0400 01000000 05000000 eeeeeeee 0010000000000000 0008000000000000 6162");
  EXPECT_EQ(dc.packet.send_id, 5u);
  EXPECT_EQ(dc.packet.padding, 0xeeeeeeeeu);
  EXPECT_EQ(dc.packet.seg_length, 0x1000u);
  EXPECT_EQ(to_hex(dc.packet.payload), "6162");
}

TEST(Packet, ReadsLongCtsMessages) {
  const Decoded one("44 04 0420 01000000 0010000000000000 05000000 08000000");
  EXPECT_TRUE(one.packet.has(flag::kReadNack));
  EXPECT_EQ(one.packet.msg_length, 0x1000u);
  EXPECT_EQ(one.packet.send_id, 5u);
  EXPECT_EQ(one.packet.credit_request, 8u);
  EXPECT_TRUE(one.packet.payload.empty());
}

TEST(Packet, ReadsWritesWithTheirRemoteBuffersInFrontOfTheOptionalHeaders) {
  const Decoded one(
      "46 04 0280 02000000"
      "1000000000000000 0200000000000000 0100000000000000"
      "3000000000000000 0100000000000000 0200000000000000"
      "0800000000000000 39d59025 616263");
  ASSERT_EQ(rma_iov_count(one.packet.rma_iov), 2u);
  EXPECT_EQ(rma_iov_at(one.packet.rma_iov, 0), (RmaIov{0x10, 2, 1}));
  EXPECT_EQ(rma_iov_at(one.packet.rma_iov, 1), (RmaIov{0x30, 1, 2}));
  EXPECT_EQ(one.packet.cq_data, 8u);
  EXPECT_EQ(to_hex(one.packet.payload), "616263");
  const Decoded dc("8b 04 0000 01000000 05000000 eeeeeeee 1000000000000000 0100000000000000 0100000000000000 61");
  EXPECT_EQ(dc.packet.send_id, 5u);
  EXPECT_EQ(rma_iov_at(dc.packet.rma_iov, 0).len, 1u);
}

TEST(Packet, ReadsAnEagerWriteOfNothing) {
  const Decoded one("46 04 0000 00000000");
  EXPECT_TRUE(one.packet.rma_iov.empty());
  EXPECT_TRUE(one.packet.payload.empty());
}

TEST(Packet, ReadsReads) {
  const Decoded short_rtr(
      "48 04 1000 01000000 0001000000000000 0a000000 eeeeeeee 1000000000000000 0001000000000000 "
      "0100000000000000");
  EXPECT_TRUE(short_rtr.packet.has(flag::kRma));
  EXPECT_EQ(short_rtr.packet.msg_length, 0x100u);
  EXPECT_EQ(short_rtr.packet.recv_id, 10u);
  EXPECT_EQ(short_rtr.packet.padding, 0xeeeeeeeeu);
  const Decoded long_rtr(
      "49 04 0000 01000000 0000010000000000 0a000000 00800000 1000000000000000 0000010000000000 "
      "0100000000000000");
  EXPECT_EQ(long_rtr.packet.recv_length, 0x8000u);
}

TEST(Packet, ReadsAtomics) {
  const Decoded fetch(
      "4b 04 2000 02000000 01000000 07000000 02000000 0a000000 1000000000000000 0800000000000000 "
      "0100000000000000 0500000000000000");
  EXPECT_EQ(fetch.packet.msg_id, 2u);
  EXPECT_EQ(fetch.packet.atomic_datatype, 7u);
  EXPECT_EQ(fetch.packet.atomic_op, 2u);
  EXPECT_EQ(fetch.packet.recv_id, 10u);
  EXPECT_EQ(fetch.packet.payload.size(), 8u);
  const Decoded write("4a 04 2000 02000000 00000000 07000000 02000000 eeeeeeee");
  EXPECT_EQ(write.packet.padding, 0xeeeeeeeeu);
  EXPECT_EQ(write.packet.recv_id, 0u);
  const Decoded dc("8d 04 2000 02000000 00000000 07000000 02000000 0b000000");
  EXPECT_EQ(dc.packet.send_id, 11u);
}

TEST(Packet, ReadsLongReadsWithTheSendersBufferBehindTheOptionalHeaders) {
  const Decoded tagged(
      "81 04 0c80 01000000 0010000000000000 05000000 01000000 0700000000000000 39d59025 "
      "1000000000000000 0010000000000000 0300000000000000");
  EXPECT_EQ(tagged.packet.tag, 7u);
  EXPECT_EQ(connid_of(tagged.packet), 0x2590d539u);
  EXPECT_EQ(rma_iov_at(tagged.packet.read_iov, 0), (RmaIov{0x10, 0x1000, 3}));
  const Decoded write(
      "82 04 0080 01000000 0010000000000000 05000000 01000000 "
      "2000000000000000 0010000000000000 0400000000000000 39d59025 "
      "1000000000000000 0010000000000000 0300000000000000");
  EXPECT_EQ(rma_iov_at(write.packet.rma_iov, 0), (RmaIov{0x20, 0x1000, 4}));
  EXPECT_EQ(rma_iov_at(write.packet.read_iov, 0), (RmaIov{0x10, 0x1000, 3}));
  EXPECT_TRUE(write.packet.payload.empty());
}

TEST(Packet, ReadsRuntingReadsWithDataBehindTheSendersBuffer) {
  const Decoded one(
      "91 04 0400 01000000 0010000000000000 05000000 01000000 0200000000000000 0400000000000000 "
      "1000000000000000 0010000000000000 0300000000000000 6162");
  EXPECT_EQ(one.packet.seg_offset, 2u);
  EXPECT_EQ(one.packet.runt_length, 4u);
  EXPECT_EQ(rma_iov_count(one.packet.read_iov), 1u);
  EXPECT_EQ(to_hex(one.packet.payload), "6162");
}

TEST(Packet, ReadsAPeerErrorWithItsFourWords) {
  const Decoded one("0c 04 0080 00000100 00000000 07000000 39d59025");
  EXPECT_EQ(one.packet.op_id, 0x10000u);
  EXPECT_EQ(one.packet.ref_kind, 0u);
  EXPECT_EQ(one.packet.prov_errno, 7u);
  EXPECT_EQ(connid_of(one.packet), 0x2590d539u);
  EXPECT_TRUE(one.packet.payload.empty());
  const auto cut = decode(hex("0c 04 0080 00000100 00000000 07000000"));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().needed, 20u);
}

TEST(Packet, ReadsTheBlocksOfAHandshakeThatLaterDocumentsAdd) {
  const Decoded one(
      "09 04 0f80 04000000 db02000000000000 39d59025 00000000 8877665544332211 a0ef0000 00000000 "
      "02010000 0d0c0b0a 01a7a6a5a4a3a2a1");
  EXPECT_EQ(one.packet.user_recv_qpn, 0x102u);
  EXPECT_EQ(one.packet.user_recv_qkey, 0x0a0b0c0du);
  EXPECT_EQ(one.packet.p2p_supported, 1);
  EXPECT_EQ(one.packet.hmem_reserved, 0xa1a2a3a4a5a6a7u);
  EXPECT_TRUE(one.packet.payload.empty());
  const Decoded without_user_qp("09 04 0800 04000000 5a02000000000000 0000000000000000");
  EXPECT_EQ(without_user_qp.packet.p2p_supported, 0);
}

TEST(Packet, KeepsTypesWithoutAFormatAndWrongVersions) {
  for (const auto* const text :
       {"00040000", "0103ffff0102", "06040000aa", "8304000000000000", "8e040400", "ff00000000"}) {
    const Decoded one(text);
    EXPECT_EQ(one.packet.payload.size(), one.octets.size() - 4);
    EXPECT_EQ(connid_of(one.packet), std::nullopt);
  }
}

TEST(Packet, KeepsFlagsThatNobodyDefined) {
  const Decoded one("40 04 c07f 01000000 61");
  EXPECT_EQ(one.packet.flags, 0x7fc0);
  EXPECT_EQ(to_hex(one.packet.payload), "61");
}

TEST(Packet, SaysWhichPartDoesNotFit) {
  const auto error = [](std::string_view text) {
    const auto result = decode(hex(text));
    EXPECT_FALSE(result);
    return result ? DecodeError{} : result.error();
  };
  EXPECT_EQ(error("").part, "base header");
  EXPECT_EQ(error("400400").part, "base header");
  EXPECT_EQ(error("40040000010000").part, "header");
  EXPECT_EQ(error("40040000010000").needed, 8u);
  EXPECT_EQ(error("40040100 01000000 200000").part, "raw address");
  EXPECT_EQ(error("40040100 01000000 20000000 aabb").part, "raw_addr");
  EXPECT_EQ(error("40040200 01000000 20000000").part, "CQ data");
  EXPECT_EQ(error("40040080 01000000 200000").part, "connid");
  EXPECT_EQ(error("46040000 ffffffff 00").part, "rma_iov");
  EXPECT_EQ(error("46040000 ffffffff 00").needed, 0xffffffffull * 24);
  EXPECT_EQ(error("09040000 ffffffff 00").part, "extra_info");
  EXPECT_EQ(error("09040000 ffffffff 00").needed, 0xfffffffcull * 8);
  EXPECT_EQ(error("09040100 03000000 00").part, "host_id");
  const DecodeError iov = error(
      "80040400 01000000 0010000000000000 05000000 02000000"
      "100000000000000000100000000000000300000000000000");
  EXPECT_EQ(iov.part, "read_iov");
  EXPECT_EQ(iov.offset, 24u);
  EXPECT_EQ(iov.needed, 48u);
  EXPECT_EQ(iov.there, 24u);
  EXPECT_EQ(iov.layout->name, "LONGREAD_MSGRTM");
}

TEST(Packet, IsWrittenWithTheFlagsOfItsUse) {
  EXPECT_EQ(packet_of(PacketType::eager_tagrtm).flags, 0x000c);
  EXPECT_EQ(packet_of(PacketType::compare_rta).flags, 0x0020);
  EXPECT_EQ(packet_of(PacketType::longcts_rtw).flags, 0x0010);
  EXPECT_EQ(packet_of(PacketType::cts).flags, 0);
  EXPECT_EQ(packet_of(PacketType{250}).flags, 0);
}

// A packet of `layout` with every optional header of `flags`, and arrays of `elements` elements.
struct Sample {
  OctetBuffer iov, extra, address = OctetBuffer(36, 0xad), payload{1, 2, 3};
  Packet packet;
  Sample(const Layout& layout, std::uint16_t flags, std::size_t elements) {
    packet = packet_of(layout.type);
    for (const FieldRow& row : layout.fields) set(packet, row.field, 0x0102030405060708u + row.offset);
    packet.flags = flags;
    packet.connid = 0xc0ffee00;
    packet.cq_data = 0x1122334455667788;
    iov.resize(elements * layout::kRmaIov, 0x22);
    extra.resize(elements * layout::kExtraInfo, 0x33);
    packet.rma_iov_count = packet.read_iov_count = static_cast<std::uint32_t>(elements);
    packet.nextra_p3 = static_cast<std::uint32_t>(elements) + 3;
    packet.raw_address_size = static_cast<std::uint32_t>(address.size());
    packet.rma_iov = packet.read_iov = iov;
    packet.extra_info = extra;
    packet.raw_address = address;
    packet.payload = payload;
  }
};

TEST(Packet, OfEveryTypeAndEveryOptionalHeaderComesBack) {
  unsigned packets = 0;
  for (const Layout& layout : all_layouts())
    for (const unsigned flags : {0u, 1u, 2u, 3u, 0x8000u, 0x8001u, 0x8002u, 0x8003u, 0xffffu})
      for (const std::size_t elements : {0u, 1u, 3u}) {
        const Sample sample(layout, static_cast<std::uint16_t>(flags), elements);
        const OctetBuffer octets = encode(sample.packet);
        EXPECT_EQ(octets.size(), header_octets(sample.packet) + 3);
        const auto back = decode(octets);
        ASSERT_TRUE(back) << layout.name;
        EXPECT_EQ(encode(*back), octets) << layout.name;
        for (const FieldRow& row : layout.fields)
          EXPECT_EQ(get(*back, row.field), get(sample.packet, row.field) & (row.width == 4 ? 0xffffffff : ~0ull));
        EXPECT_EQ(to_hex(back->payload), "010203") << layout.name;
        ++packets;
      }
  EXPECT_EQ(packets, all_layouts().size() * 27);
}

TEST(Packet, FindsItsFieldsWhereLocateFindsThem) {
  for (const Layout& layout : all_layouts()) {
    const Sample sample(layout, 0x8003, 2);
    const OctetBuffer octets = encode(sample.packet);
    const Location location = locate(octets);
    EXPECT_FALSE(location.error);
    EXPECT_EQ(location.payload, octets.size() - 3) << layout.name;
    std::size_t end = 0;
    for (const Located& one : location.fields) {
      EXPECT_EQ(one.offset, end) << layout.name << " has a gap before " << one.name;
      end = one.offset + one.width;
      if (one.array != Array::none) {
        if (one.array == Array::raw_address && one.field == Field::raw_reserved) end += 4;  // octets 33 to 36
        continue;
      }
      const auto place = find_field(sample.packet, one.field);
      ASSERT_TRUE(place) << one.name;
      EXPECT_EQ(place->offset, one.offset) << layout.name << " " << one.name;
      EXPECT_EQ(place->width, one.width);
      EXPECT_EQ(one.value, get(*decode(octets), one.field)) << one.name;
    }
    EXPECT_EQ(end, location.payload) << layout.name;
  }
}

TEST(Locate, NamesFieldsAsADissectorDoes) {
  const OctetBuffer octets =
      hex("46 04 0100 01000000 1000000000000000 0200000000000000 0100000000000000"
          "20000000 fe80000000000000000000007f170002 a4ae 0000 a0f2102c 0000000000000000 6162");
  const Location location = locate(octets);
  std::string names;
  for (const Located& one : location.fields) names += one.name + " ";
  EXPECT_EQ(names,
            "efa_rdm.type efa_rdm.version efa_rdm.flags efa_rdm.rma_iov_count efa_rdm.rma_iov.addr efa_rdm.rma_iov.len "
            "efa_rdm.rma_iov.key efa_rdm.raw_addr_size efa_rdm.raw_addr.gid efa_rdm.raw_addr.qpn efa_rdm.raw_addr.pad "
            "efa_rdm.raw_addr.connid efa_rdm.raw_addr.reserved ");
  EXPECT_EQ(location.payload, octets.size() - 2);
}

TEST(Locate, CallsAMultiuseWordPaddingWhereItIsNoConnid) {
  const Location padding = locate(hex("0a040000 05000000 09000000 39d59025"));
  EXPECT_EQ(padding.fields.back().name, "efa_rdm.padding");
  const Location connid = locate(hex("0a040080 05000000 09000000 39d59025"));
  EXPECT_EQ(connid.fields.back().name, "efa_rdm.connid");
}

TEST(Locate, GivesWhatStandsBeforeAnError) {
  const Location location = locate(hex("46040000 ffffffff 00"));
  ASSERT_TRUE(location.error);
  EXPECT_EQ(location.error->part, "rma_iov");
  EXPECT_EQ(location.fields.back().name, "efa_rdm.rma_iov_count");
}

TEST(Locate, ShowsABoundedNumberOfElements) {
  OctetBuffer octets = hex("46040000 64000000");
  octets.resize(octets.size() + std::size_t{100} * layout::kRmaIov);
  EXPECT_EQ(locate(octets, 4).fields.size(), 4u + 4u * 3u);
}

TEST(Packet, OfRandomOctetsComesBackWhereItDecodes) {
  std::mt19937_64 random(1);
  unsigned decoded = 0;
  for (unsigned round = 0; round < 50'000; ++round) {
    OctetBuffer octets(random() % 120);
    for (Octet& octet : octets) octet = static_cast<Octet>(random() % 3 == 0 ? random() : random() % 4);
    if (!octets.empty() && round % 8 != 0) octets[0] = all_layouts()[random() % all_layouts().size()].id();
    const auto packet = decode(octets);
    if (!packet) {
      EXPECT_LE(packet.error().offset, octets.size());
      EXPECT_GT(packet.error().needed, packet.error().there);
      continue;
    }
    ++decoded;
    ASSERT_EQ(encode(*packet), octets);
  }
  EXPECT_GT(decoded, 3'000u);
}

}  // namespace
}  // namespace wirelaw::efa
