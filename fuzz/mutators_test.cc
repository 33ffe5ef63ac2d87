// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutators.h"

#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace wirelaw::fuzz {
namespace {

// The target names in fuzz/targets.txt.
std::vector<std::string> targets() {
  std::ifstream table(WIRELAW_SOURCE_DIR "/fuzz/targets.txt");
  std::vector<std::string> names;
  for (std::string line; std::getline(table, line);)
    if (line.starts_with("fuzz_")) names.push_back(line.substr(0, line.find(' ')));
  return names;
}

constexpr std::size_t kRoom = 256;
constexpr Octet kBehind = 0xa5;

// Returns the mutator's output, and checks the octets after the buffer.
OctetBuffer mutated(Mutator mutator, const OctetBuffer& octets, std::uint32_t seed) {
  OctetBuffer buffer = octets;
  buffer.resize(kRoom);
  buffer.resize(kRoom + 16, kBehind);
  const std::size_t size = mutator(std::span(buffer).first(kRoom), octets.size(), seed);
  EXPECT_LE(size, kRoom);
  EXPECT_TRUE(std::all_of(buffer.begin() + kRoom, buffer.end(), [](Octet octet) { return octet == kBehind; }));
  buffer.resize(std::min(size, kRoom));
  return buffer;
}

TEST(Mutators, EachTargetThatAsksForOneHasOne) {
  std::istringstream asking(WIRELAW_FUZZ_MUTATED);  // targets that are MUTATED in fuzz/CMakeLists.txt
  const std::vector<std::string> names{std::istream_iterator<std::string>(asking), {}};
  EXPECT_GT(names.size(), 30u);
  for (const std::string& name : names) EXPECT_NE(find_mutator(name), nullptr) << name;
  EXPECT_EQ(find_mutator("fuzz_ramcloud_packet"), nullptr);
  EXPECT_EQ(find_mutator("fuzz_of_nothing"), nullptr);
  EXPECT_NE(find_mutator("fuzz_toy_trace"), nullptr) << "observers of datagrams of other trees";
}

TEST(Mutators, KeepToTheirBufferWhateverItHolds) {
  for (const std::string& name : targets()) {
    const Mutator mutator = find_mutator(name);
    if (mutator == nullptr) continue;
    bool changed = false;
    for (std::uint32_t seed = 1; seed < 200; ++seed) {
      OctetBuffer octets(seed * 7 % (kRoom + 1));
      for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = static_cast<Octet>(i * seed >> 2);
      changed |= mutated(mutator, octets, seed) != octets;
    }
    // An input that is not a capture gets only the engine's own mutations; capture_mutator_test.cc tests captures.
    EXPECT_TRUE(changed || name == "fuzz_check") << name;
  }
}

TEST(Mutators, TheSameSeedMakesTheSame) {
  const OctetBuffer octets(100, 0x11);
  for (const std::string& name : targets())
    if (const Mutator mutator = find_mutator(name))
      for (std::uint32_t seed = 1; seed < 20; ++seed)
        EXPECT_EQ(mutated(mutator, octets, seed), mutated(mutator, octets, seed)) << name << ", seed " << seed;
}

}  // namespace
}  // namespace wirelaw::fuzz
