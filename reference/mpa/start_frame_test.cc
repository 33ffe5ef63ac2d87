// SPDX-License-Identifier: Apache-2.0
#include "reference/mpa/start_frame.h"

#include <gtest/gtest.h>

#include "reference/octets/hex.h"

namespace wirelaw::mpa {
namespace {

constexpr auto kRequest =
    "4d504120494420526571204672616d65"
    "50"
    "02"
    "0006"
    "80014002"
    "aabb";

TEST(StartFrame, DecodesEveryField) {
  const OctetBuffer octets = *from_hex(kRequest);
  const auto frame = decode_start_frame(octets);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->kind(), FrameKind::request);
  EXPECT_FALSE(frame->markers);
  EXPECT_TRUE(frame->crc);
  EXPECT_FALSE(frame->rejected);
  EXPECT_TRUE(frame->enhanced);
  EXPECT_EQ(frame->reserved, 0);
  EXPECT_EQ(frame->revision, 2);
  EXPECT_EQ(frame->private_data_length, 6);
  EXPECT_EQ(frame->enhanced_data(), (EnhancedData{.peer_to_peer = true, .ird = 1, .rtr_read = true, .ord = 2}));
  EXPECT_EQ(to_hex(frame->ulp_data()), "aabb");
}

TEST(StartFrame, EncodesWhatItDecoded) {
  OctetBuffer octets = *from_hex(kRequest);
  for (unsigned flags = 0; flags < 256; ++flags) {
    octets[layout::kFlags] = static_cast<Octet>(flags);
    const auto frame = decode_start_frame(octets);
    ASSERT_TRUE(frame);
    EXPECT_EQ(encode_start_frame(*frame), octets);
  }
}

TEST(StartFrame, TellsRequestReplyAndNeither) {
  StartFrame frame;
  EXPECT_EQ(frame.kind(), std::nullopt);
  frame.key = key_of(FrameKind::reply);
  EXPECT_EQ(frame.kind(), FrameKind::reply);
  EXPECT_EQ(to_hex(encode_start_frame(frame)),
            "4d504120494420526570204672616d65"
            "00010000");
  frame.key[15] ^= 0x20;
  EXPECT_EQ(frame.kind(), std::nullopt);
}

TEST(StartFrame, SaysHowManyOctetsTheWholeFrameTakes) {
  const OctetBuffer octets = *from_hex(kRequest);
  for (std::size_t length = 0; length < octets.size(); ++length) {
    const auto frame = decode_start_frame(Octets(octets).first(length));
    ASSERT_FALSE(frame);
    EXPECT_EQ(frame.error().needed, length < layout::kStartFrame ? layout::kStartFrame : octets.size());
  }
}

TEST(StartFrame, TakesNoMoreThanItsOwnOctets) {
  OctetBuffer octets = *from_hex(kRequest);
  octets.push_back(0xff);
  EXPECT_EQ(to_hex(decode_start_frame(octets)->ulp_data()), "aabb");
}

TEST(StartFrame, HasEnhancedDataOnlyInRevisionTwoWithSAndFourOctets) {
  const OctetBuffer four(4, 0xff);
  StartFrame frame{.enhanced = true, .revision = 2, .private_data = four};
  EXPECT_TRUE(frame.enhanced_data());
  EXPECT_TRUE(frame.ulp_data().empty());
  frame.revision = 1;
  EXPECT_FALSE(frame.enhanced_data()) << "the bit is reserved in revision 1";
  EXPECT_EQ(frame.ulp_data().size(), 4u);
  frame = {.enhanced = false, .revision = 2, .private_data = four};
  EXPECT_FALSE(frame.enhanced_data());
  frame = {.enhanced = true, .revision = 2, .private_data = Octets(four).first(3)};
  EXPECT_FALSE(frame.enhanced_data());
  EXPECT_EQ(frame.ulp_data().size(), 3u);
}

TEST(EnhancedData, HasEachFieldInItsPlace) {
  EXPECT_EQ(encode_enhanced({.peer_to_peer = true}), 0x80000000u);
  EXPECT_EQ(encode_enhanced({.rtr_send = true}), 0x40000000u);
  EXPECT_EQ(encode_enhanced({.ird = kNoNegotiation}), 0x3fff0000u);
  EXPECT_EQ(encode_enhanced({.rtr_write = true}), 0x00008000u);
  EXPECT_EQ(encode_enhanced({.rtr_read = true}), 0x00004000u);
  EXPECT_EQ(encode_enhanced({.ord = kNoNegotiation}), 0x00003fffu);
  for (const std::uint32_t word : {0u, 0xffffffffu, 0x80004000u, 0x12345678u, 0xc123bfffu})
    EXPECT_EQ(encode_enhanced(decode_enhanced(word)), word);
}

}  // namespace
}  // namespace wirelaw::mpa
