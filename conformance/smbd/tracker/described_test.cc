// SPDX-License-Identifier: Apache-2.0
// Descriptors in payloads whose layout only the upper layer knows: what they describe, and when nothing is certain.
#include "conformance/smbd/tracker/described.h"

#include <gmock/gmock.h>

namespace wirelaw::smbd {
namespace {

constexpr std::uint32_t kToken = 0x04030201;

// 0x100 octets at 0x2000 with the token ([MS-SMBD] 2.2.3.1).
constexpr Octet kDescriptor[] = {0x00, 0x20, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0x00, 0x01, 0, 0};

bool contradicts(Octets payloads, std::uint64_t offset, std::uint64_t length) {
  Described described;
  EXPECT_TRUE(described.find(payloads, kToken));
  return described.contradicts({.stag = kToken, .offset = offset, .length = length});
}

TEST(Described, IsWhatADescriptorCovers) {
  for (const auto& [offset, length] : {std::pair{0x2000u, 0x100u}, {0x2000u, 1u}, {0x20ffu, 1u}, {0x2080u, 0u}})
    EXPECT_FALSE(contradicts(kDescriptor, offset, length)) << offset << ' ' << length;
  for (const auto& [offset, length] :
       {std::pair{0x2000u, 0x101u}, {0x1fffu, 1u}, {0x1fffu, 2u}, {0x2100u, 1u}, {0x20ffu, 2u}, {0x9000u, 0x100u}})
    EXPECT_TRUE(contradicts(kDescriptor, offset, length)) << offset << ' ' << length;
}

TEST(Described, IsFoundAnywhereAndOnlyByItsToken) {
  OctetBuffer payloads(100, 0x55);
  payloads.insert(payloads.end(), std::begin(kDescriptor), std::end(kDescriptor));
  payloads.insert(payloads.end(), 100, 0x55);
  EXPECT_FALSE(contradicts(payloads, 0x2000, 0x100));
  EXPECT_TRUE(contradicts(payloads, 0x2000, 0x101));
  Described described;
  EXPECT_FALSE(described.find(payloads, kToken + 1));
  EXPECT_FALSE(described.contradicts({.stag = kToken + 1, .offset = 0x2000, .length = 0x101}));
}

TEST(Described, GrowsWithThePayloads) {
  OctetBuffer payloads(std::begin(kDescriptor), std::end(kDescriptor));
  const RemoteRange across{.stag = kToken, .offset = 0x20f0, .length = 0x20};
  Described described;
  EXPECT_TRUE(described.find(payloads, kToken));
  EXPECT_TRUE(described.contradicts(across));
  // A neighbour, of which the length comes later.
  for (const Octet one : std::initializer_list<Octet>{0x00, 0x21, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0x10})
    payloads.push_back(one);
  EXPECT_TRUE(described.find(payloads, kToken));
  EXPECT_FALSE(described.contradicts(across)) << "unknown as long as its length is missing";
  for (int i = 0; i < 3; ++i) payloads.push_back(0);
  EXPECT_TRUE(described.find(payloads, kToken));
  EXPECT_FALSE(described.contradicts(across));
  EXPECT_TRUE(described.contradicts({.stag = kToken, .offset = 0x20f0, .length = 0x21}));
}

TEST(Described, IsNotBrokenByAnotherTokenInBetween) {
  OctetBuffer payloads(std::begin(kDescriptor), std::end(kDescriptor));
  for (const Octet one : std::initializer_list<Octet>{0x00, 0x30, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9, 0x00, 0x01, 0, 0})
    payloads.push_back(one);
  Described described;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(described.find(payloads, kToken));
    EXPECT_TRUE(described.contradicts({.stag = kToken, .offset = 0x5000, .length = 1}));
    EXPECT_TRUE(described.find(payloads, 0x09090909));
    EXPECT_FALSE(described.contradicts({.stag = 0x09090909, .offset = 0x3000, .length = 1}));
  }
}

struct Doubt {
  std::string_view name;
  OctetBuffer payloads;
};
void PrintTo(const Doubt& doubt, std::ostream* out) {
  *out << doubt.name;
}

// Payloads that hold the token. They may describe 0x100 octets at 0x9000, or no memory at all.
const Doubt kDoubts[] = {
    {"nothing before the token", {1, 2, 3, 4, 0x00, 0x01, 0, 0}},
    {"the length has not come yet", {0x00, 0x20, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0x00}},
    {"network order", {0x00, 0x20, 0, 0, 0, 0, 0, 0, 4, 3, 2, 1, 0x00, 0x01, 0, 0}},
    {"both orders",
     {0x00, 0x20, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0x00, 0x01, 0, 0, 0x00, 0x90, 0, 0, 0, 0, 0, 0, 4, 3, 2, 1}},
    {"more than 4 GiB away", {0x00, 0x20, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 0x00, 0x01, 0, 0}},
    {"no octets", {0x00, 0x20, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0}},
    {"counted from 0", {0x00, 0x20, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0x00, 0x91, 0, 0}},
    {"token, length, offset", {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0x00, 0x01, 0, 0, 0x00, 0x90, 0, 0, 0, 0, 0, 0}},
};

class Doubtful : public testing::TestWithParam<Doubt> {};

TEST_P(Doubtful, PayloadsContradictNothing) {
  EXPECT_FALSE(contradicts(GetParam().payloads, 0x9000, 0x100));
}

INSTANTIATE_TEST_SUITE_P(Each, Doubtful, testing::ValuesIn(kDoubts));

TEST(Described, IsUnknownIfTheTokenIsInTooManyPlaces) {
  OctetBuffer payloads;
  Described described;
  for (std::size_t i = 0; i <= Described::kMostSpans; ++i) {
    payloads.insert(payloads.end(), std::begin(kDescriptor), std::end(kDescriptor));
    EXPECT_TRUE(described.find(payloads, kToken));
    EXPECT_EQ(described.contradicts({.stag = kToken, .offset = 0x9000, .length = 1}), i < Described::kMostSpans);
  }
  EXPECT_LE(described.memory(), 64u << 10);
}

TEST(Described, IsUnknownForMemoryThatWraps) {
  EXPECT_FALSE(contradicts(kDescriptor, ~std::uint64_t{0}, 2));
}

}  // namespace
}  // namespace wirelaw::smbd
