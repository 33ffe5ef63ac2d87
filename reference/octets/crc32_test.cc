// SPDX-License-Identifier: Apache-2.0
#include "reference/octets/crc32.h"

#include <gtest/gtest.h>

namespace wirelaw {
namespace {

constexpr Octet kDigits[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};

TEST(Crc32, GivesTheCheckValueOfItsPolynomial) {
  EXPECT_EQ(crc32(kDigits), 0xcbf43926u);
  EXPECT_EQ(crc32({}), 0u);
}

// The state of InfiniBand's CRC after eight octets of ones, with which RoCEv2 begins (Annex A17.3.3).
TEST(Crc32, OfEightOctetsOfOnesIsTheBeginningOfAnInvariantCrc) {
  EXPECT_EQ(~crc32(OctetBuffer(8, 0xff)), 0xdebb20e3u);
}

TEST(Crc32, ContinuesFromAnyCut) {
  for (std::size_t cut = 0; cut <= std::size(kDigits); ++cut)
    EXPECT_EQ(crc32(Octets(kDigits).subspan(cut), crc32(Octets(kDigits).first(cut))), crc32(kDigits)) << cut;
}

}  // namespace
}  // namespace wirelaw
