// SPDX-License-Identifier: Apache-2.0
#include "pcap/section_header.h"

#include <gtest/gtest.h>

#include "pcap/frame_builder.h"

namespace wirelaw::pcap::testing {
namespace {

// Type, length 60, byte-order magic, version 1.0, and unknown section length. The options follow.
const OctetBuffer kLittle = hex("0a0d0d0a 3c000000 4d3c2b1a 0100 0000 ffffffffffffffff");
const OctetBuffer kBig = hex("0a0d0d0a 0000003c 1a2b3c4d 0001 0000 ffffffffffffffff");

TEST(SectionHeader, GivesItsLengthInItsOwnByteOrder) {
  EXPECT_EQ(section_header_length(kLittle), 60U);
  EXPECT_EQ(section_header_length(kBig), 60U);
  EXPECT_EQ(section_header_length(hex("0a0d0d0a ffffffff 4d3c2b1a")), 0xffffffffU);
}

TEST(SectionHeader, IsNothingElse) {
  for (const char* octets :
       {"", "0a0d0d0a 3c000000 4d3c2b", "0b0d0d0a 3c000000 4d3c2b1a", "0a0d0d0a 3c000000 01020304"}) {
    EXPECT_EQ(section_header_length(hex(octets)), 0U) << octets;
    EXPECT_EQ(section_header_comment(hex(octets)), std::nullopt) << octets;
  }
}

TEST(SectionHeader, GivesItsFirstComment) {
  const OctetBuffer rest = hex("00000000 3c000000");
  EXPECT_EQ(section_header_comment(kLittle + hex("0100 0300 61626300 0100 0100 64000000") + rest), "abc");
  EXPECT_EQ(section_header_comment(kBig + hex("0001 0003 61626300 00000000")), "abc");
  EXPECT_EQ(section_header_comment(kLittle + hex("0400 0500 6d616b65 72000000 0100 0400 61626364") + rest), "abcd");
  EXPECT_EQ(section_header_comment(kLittle + hex("0100 0000") + rest), "");
}

TEST(SectionHeader, WithoutCommentGivesNone) {
  EXPECT_EQ(section_header_comment(kLittle), std::nullopt);
  EXPECT_EQ(section_header_comment(kLittle + hex("0400 0100 61000000")), std::nullopt);
  EXPECT_EQ(section_header_comment(kLittle + hex("0000 0000 0100 0100 61000000")), std::nullopt) << "the options end";
}

TEST(SectionHeader, CommentBeyondTheBlockOrTheOctetsIsNone) {
  EXPECT_EQ(section_header_comment(kLittle + hex("0100 ffff 61626300")), std::nullopt);
  EXPECT_EQ(section_header_comment(kLittle + hex("0400 ffff 61626300 0100 0100 61000000")), std::nullopt);
  OctetBuffer shortened = kLittle + hex("0100 0300 61626300");
  shortened[4] = 28;  // the block ends before its comment
  EXPECT_EQ(section_header_comment(shortened), std::nullopt);
  shortened[4] = 4;
  EXPECT_EQ(section_header_comment(shortened), std::nullopt);
}

TEST(SectionHeader, EveryPrefixIsSafe) {
  const OctetBuffer whole = kLittle + hex("0400 0500 6d616b65 72000000 0100 0400 61626364 00000000 3c000000");
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const OctetBuffer prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto comment = section_header_comment(prefix);
    EXPECT_EQ(comment.has_value(), size >= 44) << size;
  }
}

}  // namespace
}  // namespace wirelaw::pcap::testing
