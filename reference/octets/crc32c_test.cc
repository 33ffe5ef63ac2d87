// SPDX-License-Identifier: Apache-2.0
#include "reference/octets/crc32c.h"

#include <gtest/gtest.h>

#include <numeric>

namespace wirelaw {
namespace {

OctetBuffer counting(std::size_t count) {
  OctetBuffer octets(count);
  std::iota(octets.begin(), octets.end(), Octet{0});
  return octets;
}

// RFC 3720, B.4; its values are in the order of the wire.
TEST(Crc32c, GivesTheExamplesOfIscsi) {
  EXPECT_EQ(crc32c(OctetBuffer(32, 0)), 0x8a9136aau);
  EXPECT_EQ(crc32c(OctetBuffer(32, 0xff)), 0x62a8ab43u);
  EXPECT_EQ(crc32c(counting(32)), 0x46dd794eu);
  EXPECT_EQ(crc32c({}), 0u);
}

TEST(Crc32c, ContinuesFromAnyCut) {
  const OctetBuffer octets = counting(5000);
  for (std::size_t cut = 0; cut <= octets.size(); cut += 7)
    EXPECT_EQ(crc32c(Octets(octets).subspan(cut), crc32c(Octets(octets).first(cut))), crc32c(octets)) << cut;
}

TEST(Crc32c, OfTheSecondOfTwoPartsFollowsFromThatOfTheFirstAndThatOfBoth) {
  const OctetBuffer octets = counting(70000);
  for (const std::size_t cut : {0u, 1u, 4u, 255u, 4464u, 69744u, 69999u, 70000u}) {
    const Octets first = Octets(octets).first(cut);
    const Octets second = Octets(octets).subspan(cut);
    EXPECT_EQ(crc32c_behind(crc32c(octets), crc32c(first), static_cast<std::uint32_t>(second.size())), crc32c(second))
        << cut;
  }
}

}  // namespace
}  // namespace wirelaw
