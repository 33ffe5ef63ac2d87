// SPDX-License-Identifier: Apache-2.0
#include "pcap/recent_octets.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace wirelaw::pcap::testing {
namespace {

TEST(RecentOctets, AreTheLastOnesWhateverThePartsTheyCameIn) {
  std::mt19937 random(1);
  for (const std::size_t bound : {1U, 7U, 64U}) {
    RecentOctets recent(bound);
    std::deque<Octet> model;
    for (int i = 0; i < 2000; ++i) {
      if (random() % 100 == 0) {
        recent.clear();
        model.clear();
      }
      OctetBuffer octets(random() % 20);
      for (Octet& octet : octets) octet = static_cast<Octet>(random());
      recent.append(octets);
      model.insert(model.end(), octets.begin(), octets.end());
      while (model.size() > bound) model.pop_front();
      ASSERT_EQ(recent.size(), model.size());
      ASSERT_LE(recent.memory(), bound);
      for (std::size_t back = 1; back <= model.size(); ++back)
        ASSERT_EQ(recent.from_end(back), model[model.size() - back]);

      if (model.empty()) continue;
      const std::size_t back = random() % model.size() + 1;
      const std::size_t size = random() % back + 1;
      const auto from = model.end() - static_cast<std::ptrdiff_t>(back);
      OctetBuffer same(from, from + static_cast<std::ptrdiff_t>(size));
      ASSERT_EQ(recent.find_difference(back, same), std::nullopt);
      const std::size_t changed = random() % size;
      same[changed] ^= 1;
      same[size - 1] ^= 2;
      ASSERT_EQ(recent.find_difference(back, same), changed);
    }
  }
}

TEST(RecentOctets, BoundOfZeroKeepsNothing) {
  RecentOctets recent(0);
  const Octet octets[] = {1, 2, 3};
  recent.append(octets);
  EXPECT_EQ(recent.size(), 0U);
  EXPECT_EQ(recent.memory(), 0U);
}

TEST(RecentOctets, ReleaseGivesTheMemoryBack) {
  RecentOctets recent(8);
  const Octet octets[] = {1, 2, 3};
  recent.append(octets);
  recent.release();
  EXPECT_EQ(recent.memory(), 0U);
  recent.append(octets);
  EXPECT_EQ(recent.from_end(1), 3);
}

}  // namespace
}  // namespace wirelaw::pcap::testing
