// SPDX-License-Identifier: Apache-2.0
#include "reference/octets/octets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/octets/hex.h"

namespace wirelaw {
namespace {

using ::testing::ElementsAre;

TEST(Reader, ReadsIntegersInBothOrders) {
  const OctetBuffer octets{0x01, 0x02, 0x03, 0x04, 0x05, 0x06};
  Reader reader(octets);
  EXPECT_EQ(reader.little_endian<std::uint16_t>(), 0x0201);
  EXPECT_EQ(reader.big_endian<std::uint32_t>(), 0x03040506u);
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.remaining(), 0u);
}

TEST(Reader, StaysFailedAfterReadingPastTheEnd) {
  const OctetBuffer octets{0x01, 0x02, 0x03};
  Reader reader(octets);
  EXPECT_EQ(reader.little_endian<std::uint32_t>(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.octet(), 0u) << "an octet was left, but the reader has failed before it";
  EXPECT_TRUE(reader.rest().empty());
}

TEST(Reader, RefusesACountNearTheTopOfSizeT) {
  const OctetBuffer octets{0x01};
  Reader reader(octets);
  reader.octet();
  EXPECT_FALSE(reader.skip(static_cast<std::size_t>(-1)));
}

TEST(Writer, WritesIntegersInBothOrders) {
  OctetBuffer out;
  Writer(out).little_endian<std::uint16_t>(0x0102).big_endian<std::uint32_t>(0x03040506).octet(7);
  EXPECT_THAT(out, ElementsAre(2, 1, 3, 4, 5, 6, 7));
}

TEST(Hex, RoundTripsAndPassesOverWhiteSpace) {
  EXPECT_EQ(to_hex(*from_hex("00 0D\nc1 40")), "000dc140");
}

TEST(Hex, RefusesStrayCharactersAndHalfOctets) {
  EXPECT_EQ(from_hex("0g"), std::nullopt);
  EXPECT_EQ(from_hex("abc"), std::nullopt);
}

TEST(Hex, DumpShowsOffsetOctetsAndText) {
  const OctetBuffer octets{'A', 'B', 0x00};
  EXPECT_EQ(hex_dump(octets), "0000  41 42 00 " + std::string(13 * 3, ' ') + " AB.\n");
}

}  // namespace
}  // namespace wirelaw
