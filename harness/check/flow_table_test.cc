// SPDX-License-Identifier: Apache-2.0
#include "harness/check/flow_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace wirelaw {
namespace {

pcap::Endpoint endpoint(std::uint8_t host, std::uint16_t port) {
  const Octet octets[] = {192, 0, 2, host};
  return {pcap::Address::ipv4(octets), port};
}

Flow& add(FlowTable& table, std::uint64_t number, const pcap::Endpoint& a, const pcap::Endpoint& b) {
  Flow& flow = table.add(pcap::Transport::udp, a, b);
  flow.judged.set_number(number);
  return flow;
}

TEST(FlowTable, FindsAFlowFromEitherEnd) {
  FlowTable table(4);
  Flow& flow = add(table, 1, endpoint(1, 10), endpoint(2, 20));
  EXPECT_EQ(table.find(pcap::Transport::udp, endpoint(1, 10), endpoint(2, 20)), &flow);
  EXPECT_EQ(table.find(pcap::Transport::udp, endpoint(2, 20), endpoint(1, 10)), &flow);
  EXPECT_EQ(table.find(pcap::Transport::udp, endpoint(1, 20), endpoint(2, 10)), nullptr);
}

TEST(FlowTable, TheOldestIsTheOneLeastRecentlyFound) {
  FlowTable table(3);
  for (std::uint8_t i = 1; i <= 3; ++i) add(table, i, endpoint(i, 1), endpoint(9, 9));
  EXPECT_TRUE(table.full());
  table.find(pcap::Transport::udp, endpoint(1, 1), endpoint(9, 9));
  EXPECT_EQ(table.oldest()->judged.names().number, 2u);
  table.remove(*table.oldest());
  EXPECT_EQ(table.oldest()->judged.names().number, 3u);
  EXPECT_EQ(table.in_order().size(), 2u);
}

TEST(FlowTable, AFlowToItselfIsAFlow) {
  FlowTable table(2);
  Flow& flow = add(table, 1, endpoint(1, 1), endpoint(1, 1));
  EXPECT_EQ(table.find(pcap::Transport::udp, endpoint(1, 1), endpoint(1, 1)), &flow);
}

// A table of few places, so that searches run into each other; a map is the judge.
TEST(FlowTable, AgreesWithAMapWhateverIsAddedAndRemoved) {
  std::mt19937 random(1);
  FlowTable table(64);
  std::map<std::pair<int, int>, std::uint64_t> model;
  for (std::uint64_t step = 1; step <= 50'000; ++step) {
    const int a = static_cast<int>(random() % 14), b = 14 + static_cast<int>(random() % 14);
    const auto from = endpoint(static_cast<std::uint8_t>(a), 7), to = endpoint(static_cast<std::uint8_t>(b), 7);
    const Flow* found =
        random() % 2 ? table.find(pcap::Transport::udp, from, to) : table.find(pcap::Transport::udp, to, from);
    const auto expected = model.find({a, b});
    ASSERT_EQ(found != nullptr, expected != model.end()) << "step " << step;
    if (found) {
      ASSERT_EQ(found->judged.names().number, expected->second);
      if (random() % 2) {
        table.remove(*found);
        model.erase(expected);
      }
    } else if (!table.full()) {
      add(table, step, from, to);
      model[{a, b}] = step;
    }
    ASSERT_EQ(table.size(), model.size());
  }
}

}  // namespace
}  // namespace wirelaw
