// SPDX-License-Identifier: Apache-2.0
// A sender and a receiver: all instructions arrive whole, in order within each chain, and are answered once.
#include <gmock/gmock.h>

#include <map>
#include <random>

#include "reference/umsp/chains/test_chains.h"

namespace wirelaw::umsp {
namespace {

constexpr Instant kNow{0};

class Pair {
 public:
  Pair(const SenderOptions& sending, const ReceiverOptions& receiving, unsigned seed)
      : random(seed), sender(sending), receiver(receiving), disorder(sending.several_connections) {
    receiver.arrival.alone = !disorder;
  }

  std::uint32_t below(std::uint32_t most) { return static_cast<std::uint32_t>(random() % most); }

  // The next instruction of a chain, or the only one; every fifth is long.
  Draft draft(bool first) {
    Draft made = numbered(++count, below(5) == 0 ? 4 + below(700) : 4 + below(40));
    if (first && below(2) == 0) {
      made.req_id = count;
      ++asked;
    }
    return made;
  }
  std::vector<Draft> drafts() {
    std::vector<Draft> all;
    for (std::uint32_t left = 1 + below(4); left > 0; --left) all.push_back(draft(all.empty()));
    return all;
  }
  void submit() {
    switch (below(disorder ? 3 : 4)) {
      case 0:
        chains.emplace_back(1, count + 1);
        ASSERT_TRUE(sender.sender->send(draft(true), kNow));
        return;
      case 1: {
        const auto id = sender.sender->begin_sequence(kNow);
        ASSERT_TRUE(id);
        chains.emplace_back();
        for (Draft& one : drafts()) {
          if (disorder) one.operands.resize(8);
          chains.back().push_back(Reader(one.operands).big_endian<std::uint32_t>());
          ASSERT_TRUE(sender.sender->add(*id, one, kNow));
          if (below(3) == 0) carry();
        }
        ASSERT_TRUE(sender.sender->end(*id, kNow));
        return;
      }
      default: {
        const bool later = below(2) == 0 && !disorder;
        const std::uint32_t first = count + 1;
        const auto id = sender.sender->send_transaction({.after_sending = !later}, drafts(), kNow);
        ASSERT_TRUE(id);
        chains.emplace_back();
        for (std::uint32_t number = first; number <= count; ++number) chains.back().push_back(number);
        if (!later) return;
        ++asked;
        ASSERT_TRUE(sender.sender->execute(*id, 100'000 + count, kNow));
      }
    }
  }

  void carry() {
    bool together = false;
    Sendable one;
    while (sender.sender->next(one, kNow)) {
      if (!together) way.emplace_back();
      way.back().push_back(one.instruction);
      together = one.together;
    }
    if (way.empty()) return;
    const std::size_t which = disorder ? below(static_cast<std::uint32_t>(std::min<std::size_t>(way.size(), 4))) : 0;
    const std::vector<Draft> segment = std::move(way[which]);
    way.erase(way.begin() + static_cast<std::ptrdiff_t>(which));
    receiver.gets_in_one_segment(segment);
    for (const Draft& sent : segment)
      if (sent.chain) sender.sender->delivered(*sent.chain);
    for (const Draft& response : std::exchange(receiver.responses, {}))
      if (!sender.gets(response)) answers.push_back(text_of(response));
    for (const std::string& answer : sender.for_vm()) answers.push_back(answer);
  }

  std::mt19937 random;
  TestSender sender;
  TestReceiver receiver;
  bool disorder;
  std::uint32_t count = 0;
  std::size_t asked = 0;
  std::vector<std::vector<std::uint32_t>> chains;
  std::vector<std::vector<Draft>> way;
  std::vector<std::string> answers;
};

void expect_whole(Pair& pair) {
  std::map<std::uint32_t, std::size_t> places;
  for (const std::uint32_t number : pair.receiver.vm.numbers())
    if (number != 0) {
      EXPECT_TRUE(places.emplace(number, places.size()).second) << number << " was executed twice";
    }
  EXPECT_EQ(places.size(), pair.count);
  for (const auto& chain : pair.chains)
    for (std::size_t i = 1; i < chain.size(); ++i) EXPECT_LT(places[chain[i - 1]], places[chain[i]]);
  EXPECT_EQ(pair.answers.size(), pair.asked);
  for (const std::string& answer : pair.answers)
    EXPECT_TRUE(answer.starts_with("RSP ") && !answer.ends_with("!")) << answer;
  EXPECT_EQ(pair.receiver.octets_left(), 0u);
  EXPECT_EQ(pair.sender.sender->window_used(), 0u);
  EXPECT_EQ(pair.sender.sender->queued(), 0u);
  EXPECT_EQ(pair.sender.sender->chains(), 0u);
}

TEST(Chains, WhatGoesInComesOut) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const std::uint64_t window = window_octets(static_cast<std::uint16_t>(1 + seed % 8));
    Pair pair({.window = window, .segment = 100 + seed, .asks_when_full = seed % 2 == 0}, {.window = window}, seed);
    for (unsigned i = 0; i < 40; ++i) {
      pair.submit();
      if (HasFatalFailure()) return;
      for (std::uint32_t steps = pair.below(30); steps > 0; --steps) pair.carry();
    }
    for (unsigned i = 0; i < 20'000; ++i) pair.carry();
    expect_whole(pair);
    if (HasFailure()) return;
  }
}

TEST(Chains, WhatGoesInComesOutOverSeveralConnections) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Pair pair({.window = 8192, .segment = 100 + seed, .several_connections = true}, {.window = 8192}, seed);
    for (unsigned i = 0; i < 40; ++i) {
      pair.submit();
      if (HasFatalFailure()) return;
      for (std::uint32_t steps = pair.below(30); steps > 0; --steps) pair.carry();
    }
    for (unsigned i = 0; i < 20'000; ++i) pair.carry();
    expect_whole(pair);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace wirelaw::umsp
