// SPDX-License-Identifier: Apache-2.0
#include "reference/ddp/segment.h"

#include <gtest/gtest.h>

#include "reference/octets/hex.h"

namespace wirelaw::ddp {
namespace {

TEST(Segment, DecodesEveryFieldOfATaggedHeader) {
  const OctetBuffer octets = *from_hex("c1 40 01020304 05060708090a0b0c ffee");
  const auto segment = decode(octets);
  ASSERT_TRUE(segment);
  EXPECT_EQ(
      segment->header,
      (Header{
          .tagged = true, .last = true, .version = 1, .rsvd_ulp = 0x40, .stag = 0x01020304, .to = 0x05060708090a0b0c}));
  EXPECT_EQ(to_hex(segment->payload), "ffee");
}

TEST(Segment, DecodesEveryFieldOfAnUntaggedHeader) {
  const OctetBuffer octets = *from_hex("01 43 01020304 05060708 090a0b0c 0d0e0f10 ff");
  const auto segment = decode(octets);
  ASSERT_TRUE(segment);
  EXPECT_EQ(segment->header, (Header{.version = 1,
                                     .rsvd_ulp = 0x43,
                                     .rsvd_ulp_rest = 0x01020304,
                                     .qn = 0x05060708,
                                     .msn = 0x090a0b0c,
                                     .mo = 0x0d0e0f10}));
  EXPECT_EQ(to_hex(segment->payload), "ff");
}

TEST(Segment, KeepsReservedBitsAndVersionsAndEncodesWhatItDecoded) {
  OctetBuffer octets = *from_hex("00 43 01020304 05060708 090a0b0c 0d0e0f10 11");
  for (unsigned control = 0; control < 256; ++control) {
    octets[layout::kControl] = static_cast<Octet>(control);
    const auto segment = decode(octets);
    ASSERT_TRUE(segment);
    EXPECT_EQ(segment->header.tagged, (control & 0x80) != 0);
    EXPECT_EQ(segment->header.last, (control & 0x40) != 0);
    EXPECT_EQ(segment->header.reserved, control >> 2 & 15);
    EXPECT_EQ(segment->header.version, control & 3);
    OctetBuffer again;
    encode(segment->header, again);
    EXPECT_EQ(again.size(), segment->header.octets());
    again.insert(again.end(), segment->payload.begin(), segment->payload.end());
    EXPECT_EQ(again, octets);
  }
}

TEST(Segment, ShorterThanItsHeaderSaysWhatItWouldNeed) {
  EXPECT_EQ(decode({}).error(), (SegmentShort{.have = 0, .needed = layout::kTagged}));
  for (const bool tagged : {false, true}) {
    const std::size_t needed = tagged ? layout::kTagged : layout::kUntagged;
    OctetBuffer octets(needed);
    octets[0] = tagged ? 0xc1 : 0x41;
    for (std::size_t length = 1; length < needed; ++length)
      EXPECT_EQ(decode(Octets(octets).first(length)).error(), (SegmentShort{.have = length, .needed = needed}));
    EXPECT_TRUE(decode(octets));
  }
}

}  // namespace
}  // namespace wirelaw::ddp
