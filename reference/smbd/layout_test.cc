// SPDX-License-Identifier: Apache-2.0
// Compares the table with the figures of [MS-SMBD] 2.2, and with the fields of Wireshark's dissector.
#include "reference/smbd/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace wirelaw::smbd {
namespace {

// The message fields in "tshark -G fields" of Wireshark 4.0.
constexpr std::string_view kWireshark[] = {"smb_direct.version.min",
                                           "smb_direct.version.max",
                                           "smb_direct.version.negotiated",
                                           "smb_direct.credits.requested",
                                           "smb_direct.credits.granted",
                                           "smb_direct.status",
                                           "smb_direct.max_read_write_size",
                                           "smb_direct.preferred_send_size",
                                           "smb_direct.max_receive_size",
                                           "smb_direct.max_fragmented_size",
                                           "smb_direct.flags",
                                           "smb_direct.remaining_length",
                                           "smb_direct.data_offset",
                                           "smb_direct.data_length"};

TEST(Layout, HasTheFieldsThatWiresharkHasUnderTheirNames) {
  std::set<std::string_view> known, ours;
  for (const FieldInfo& info : all_fields()) (info.in_wireshark ? known : ours).insert(info.dissector_name);
  EXPECT_EQ(known, std::set<std::string_view>(std::begin(kWireshark), std::end(kWireshark)));
  EXPECT_EQ(known.size() + ours.size(), kFields) << "every name is used once";
  for (const std::string_view name : ours) EXPECT_TRUE(name.starts_with("smb_direct.")) << name;
}

TEST(Layout, GivesEachMessageItsShortestLength) {
  EXPECT_EQ(describe(MessageType::negotiate_request).octets, 20);
  EXPECT_EQ(describe(MessageType::negotiate_response).octets, 32);
  EXPECT_EQ(describe(MessageType::data_transfer).octets, 20);
  EXPECT_EQ(describe(MessageType::buffer_descriptor_v1).octets, 16);
}

TEST(Layout, PutsFieldsWhereTheFiguresDo) {
  EXPECT_EQ(place(MessageType::negotiate_request, Field::credits_requested).offset, 6);
  EXPECT_EQ(place(MessageType::negotiate_request, Field::max_fragmented_size).offset, 16);
  EXPECT_EQ(place(MessageType::negotiate_response, Field::negotiated_version).offset, 4);
  EXPECT_EQ(place(MessageType::negotiate_response, Field::status).offset, 12);
  EXPECT_EQ(place(MessageType::negotiate_response, Field::status).width, 4);
  EXPECT_EQ(place(MessageType::data_transfer, Field::flags).offset, 4);
  EXPECT_EQ(place(MessageType::data_transfer, Field::data_length).offset, 16);
  EXPECT_EQ(place(MessageType::buffer_descriptor_v1, Field::token).offset, 8);
  EXPECT_EQ(describe(MessageType::data_transfer).find(Field::status), nullptr);
}

TEST(Layout, DescribesEveryFieldAndMessage) {
  for (const FieldInfo& info : all_fields()) {
    EXPECT_EQ(&describe(info.field), &info);
    EXPECT_FALSE(info.name.empty());
    EXPECT_FALSE(info.text.empty()) << info.name;
  }
  for (const Layout& layout : all_layouts()) {
    EXPECT_EQ(&describe(layout.type), &layout);
    EXPECT_TRUE(layout.dissector_name.starts_with(kDissector)) << layout.name;
    EXPECT_TRUE(layout.section.starts_with("2.2.")) << layout.name;
  }
}

}  // namespace
}  // namespace wirelaw::smbd
