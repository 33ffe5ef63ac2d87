// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/decode.h"

#include <gmock/gmock.h>

#include "reference/octets/hex.h"
#include "reference/smbd/message.h"

namespace wirelaw::smbd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> lines_of(const Decoded& decoded) {
  std::vector<std::string> lines;
  for (const wirelaw::Field& field : decoded.fields)
    lines.push_back(fmt::format("{} {} {}+{}", field.name, field.value, field.offset, field.length));
  return lines;
}

TEST(Decode, ShowsANegotiateRequestAsWiresharkDoes) {
  const OctetBuffer octets = encode(NegotiateRequest{.credits_requested = 255,
                                                     .preferred_send_size = 1364,
                                                     .max_receive_size = 8192,
                                                     .max_fragmented_size = 1'048'576});
  const Decoded decoded = decode_for_people(octets);
  EXPECT_EQ(decoded.summary, "Negotiate Request");
  EXPECT_THAT(lines_of(decoded),
              ElementsAre("smb_direct.version.min 0x0100 0+2", "smb_direct.version.max 0x0100 2+2",
                          "smb_direct.reserved 0x0000 4+2", "smb_direct.credits.requested 255 6+2",
                          "smb_direct.preferred_send_size 1364 8+4", "smb_direct.max_receive_size 8192 12+4",
                          "smb_direct.max_fragmented_size 1048576 16+4"));
}

TEST(Decode, ShowsTheStatusOfANegotiateResponseWithItsName) {
  const Decoded decoded = decode_for_people(encode(NegotiateResponse{.status = status::kNotSupported}));
  EXPECT_THAT(decoded.summary, HasSubstr("Negotiate Response status 0xc00000bb"));
  EXPECT_THAT(lines_of(decoded), testing::Contains("smb_direct.status 0xc00000bb (STATUS_NOT_SUPPORTED) 12+4"));
}

// Wireshark accepts a payload only at offset 24; this decoder finds it at DataOffset.
TEST(Decode, ShowsPaddingPayloadAndWhatIsBehindIt) {
  constexpr Octet kPadding[12] = {}, kData[] = {0xfe, 'S', 'M', 'B'}, kBehind[] = {1, 2};
  const Decoded decoded = decode_for_people(encode(DataTransfer{.credits_requested = 10,
                                                                .credits_granted = 1,
                                                                .flags = flag::kResponseRequested,
                                                                .remaining_data_length = 96,
                                                                .data_offset = 32,
                                                                .data_length = 4,
                                                                .padding = kPadding,
                                                                .buffer = kData,
                                                                .trailing = kBehind}));
  EXPECT_EQ(decoded.summary, "Data Transfer credits requested 10 granted 1 response requested data 4 remaining 96");
  EXPECT_THAT(lines_of(decoded), ElementsAre("smb_direct.credits.requested 10 0+2", "smb_direct.credits.granted 1 2+2",
                                             "smb_direct.flags 0x0001 (SMB_DIRECT_RESPONSE_REQUESTED) 4+2",
                                             "smb_direct.reserved 0x0000 6+2", "smb_direct.remaining_length 96 8+4",
                                             "smb_direct.data_offset 32 12+4", "smb_direct.data_length 4 16+4",
                                             "smb_direct.padding 000000000000000000000000 20+12",
                                             "smb_direct.buffer fe534d42 32+4", "smb_direct.trailing 0102 36+2"));
}

// The octets of 256 credits equal those of version 0x0100, so the other fields decide the type of the message.
TEST(Decode, ShowsADataTransferWith256CreditsAsOne) {
  const OctetBuffer data(900, 0x55);
  const DataTransfer full{.credits_requested = 256, .credits_granted = 256};
  DataTransfer with_data = full;
  with_data.data_offset = 24;
  with_data.data_length = 900;
  constexpr Octet kPadding[4] = {};
  with_data.padding = kPadding;
  with_data.buffer = data;
  EXPECT_EQ(decode_for_people(encode(with_data)).summary, "Data Transfer credits requested 256 granted 256 data 900");
  with_data.flags = flag::kResponseRequested;
  with_data.remaining_data_length = 100;
  EXPECT_EQ(decode_for_people(encode(with_data)).summary,
            "Data Transfer credits requested 256 granted 256 response requested data 900 remaining 100");
  with_data.reserved = 7;
  EXPECT_THAT(decode_for_people(encode(with_data)).summary, testing::StartsWith("Data Transfer")) << "with a fault";
  EXPECT_EQ(decode_for_people(encode(full)).summary, "Data Transfer credits requested 256 granted 256")
      << "without data";
}

TEST(Decode, ShowsANegotiateMessageWithAFaultAsOne) {
  EXPECT_EQ(decode_for_people(encode(NegotiateRequest{.credits_requested = 0,
                                                      .preferred_send_size = 1364,
                                                      .max_receive_size = 8192,
                                                      .max_fragmented_size = 1'048'576}))
                .summary,
            "Negotiate Request");
  EXPECT_EQ(
      decode_for_people(
          encode(NegotiateRequest{
              .credits_requested = 256, .preferred_send_size = 0, .max_receive_size = 1, .max_fragmented_size = 1}))
          .summary,
      "Negotiate Request");
  EXPECT_THAT(decode_for_people(encode(NegotiateResponse{.status = status::kInsufficientResources})).summary,
              HasSubstr("Negotiate Response"));
}

TEST(Decode, SaysWhatIsNoMessage) {
  const Decoded decoded = decode_for_people(OctetBuffer(19));
  EXPECT_THAT(decoded.fields, IsEmpty());
  EXPECT_EQ(decoded.error, "the shortest message has 20 octets");
}

}  // namespace
}  // namespace wirelaw::smbd
