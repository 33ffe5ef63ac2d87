// SPDX-License-Identifier: Apache-2.0
// Two endpoints exchange messages, with random sizes, credits, cuts and orders: every message arrives whole and in
// order, no rule for senders is broken, and no side waits for ever.
#include <gtest/gtest.h>

#include "reference/smbd/test_pair.h"

namespace wirelaw::smbd {
namespace {

template <class What>
std::vector<What> all(const Side& side) {
  std::vector<What> some;
  for (const Event& event : side.events)
    if (const auto* one = std::get_if<What>(&event)) some.push_back(*one);
  return some;
}

Options random_options(std::mt19937& random) {
  const auto upto = [&](std::uint32_t least, std::uint32_t most) {
    return least + static_cast<std::uint32_t>(random() % (most - least + 1));
  };
  Options options;
  options.receive_credit_max = static_cast<std::uint16_t>(upto(1, 20));
  options.send_credit_target = static_cast<std::uint16_t>(upto(1, 20));
  options.max_send_size = upto(25, 3000);
  options.max_receive_size = upto(128, 3000);
  options.max_fragmented_recv_size = upto(131'072, 200'000);
  options.grant_delay = milliseconds(upto(0, 2));
  options.receive_octets = upto(1, 4) == 1 ? options.max_receive_size : 1'000'000;
  return options;
}

// The messages that one side sends, and those that the other has received.
struct Talk {
  std::vector<OctetBuffer> messages;
  std::size_t next = 0;

  explicit Talk(std::mt19937& random, unsigned seed) {
    for (unsigned i = 0; i < 12; ++i) messages.push_back(pattern(1 + random() % (i % 4 == 0 ? 9000 : 200), seed + i));
  }
  void go_on(Side& side) {
    if (next < messages.size() && side.endpoint->send(messages[next])) ++next;
  }
};

TEST(Pair, DeliversEverythingWhateverTheOrder) {
  for (unsigned seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Options initiator = random_options(random), listener = random_options(random);
    Pair pair(initiator, listener, seed);
    std::array<Talk, 2> talks{Talk(random, 10), Talk(random, 60)};
    const auto done = [&](std::size_t to) {
      return all<Received>(pair.sides[to]).size() == talks[1 - to].messages.size();
    };
    for (int i = 0; i < 60'000 && !(done(0) && done(1)); ++i) {
      const std::size_t who = random() % 2;
      if (random() % 8 == 0) {
        talks[who].go_on(pair.sides[who]);
        pair.drain(pair.sides[who]);
      }
      ASSERT_TRUE(pair.step() || talks[0].next < 12 || talks[1].next < 12) << "nothing goes on";
      if (testing::Test::HasFailure()) return;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const auto received = all<Received>(pair.sides[i]);
      ASSERT_EQ(received.size(), talks[1 - i].messages.size());
      for (std::size_t k = 0; k < received.size(); ++k) EXPECT_EQ(received[k].data, talks[1 - i].messages[k]);
      EXPECT_TRUE(all<Terminated>(pair.sides[i]).empty());
    }
  }
}

TEST(Pair, GoesQuietWhenNothingIsLeftToSay) {
  for (const std::uint16_t target : std::initializer_list<std::uint16_t>{2, 3, 10, 255}) {
    Options options;
    options.send_credit_target = target;
    Pair pair(options, options, 1);
    pair.establish();
    ASSERT_TRUE(pair.sides[0].endpoint->send(pattern(500)));
    pair.drain(pair.sides[0]);
    int steps = 0;
    for (; pair.now < seconds(100) && steps < 10'000; ++steps) ASSERT_TRUE(pair.step());
    EXPECT_LT(steps, 60) << target;
  }
}

TEST(Pair, OfOneCreditEachDoesNotSpin) {
  Options options;
  options.send_credit_target = 1;
  Pair pair(options, options, 1);
  pair.establish();
  ASSERT_TRUE(pair.sides[0].endpoint->send(pattern(500)));
  pair.drain(pair.sides[0]);
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(pair.step());
  EXPECT_GT(pair.now, seconds(5));
}

TEST(Pair, KeepsAnIdleConnectionForAnHour) {
  Pair pair({}, {}, 1);
  pair.establish();
  ASSERT_TRUE(pair.sides[0].endpoint->send(pattern(500)));
  pair.drain(pair.sides[0]);
  while (pair.now < seconds(3600)) ASSERT_TRUE(pair.step());
  for (const Side& side : pair.sides) EXPECT_EQ(side.endpoint->phase(), Phase::established);
  EXPECT_LT(pair.sides[0].delivered, 100u);
  EXPECT_GT(pair.sides[0].delivered, 5u);
}

TEST(Pair, MovesBuffersByRdmaAndInvalidatesThem) {
  Pair pair({}, {}, 3);
  Side& client = pair.sides[0];
  Side& server = pair.sides[1];
  pair.establish();
  client.registrar.most = 3000;
  OctetBuffer memory(10'000), copy(7000);
  const OctetBuffer content = pattern(8000);
  const std::span<Octet> parts[] = {memory};
  const auto descriptors = client.endpoint->register_buffer(parts, {.read = true, .write = true});
  ASSERT_TRUE(descriptors);
  EXPECT_EQ(descriptors->size(), 4u);
  ASSERT_TRUE(client.endpoint->send(pattern(20)));
  pair.drain(client);
  while (all<Received>(server).empty()) ASSERT_TRUE(pair.step());

  ASSERT_TRUE(server.endpoint->write(content, *descriptors, 1500));
  ASSERT_TRUE(server.endpoint->read(copy, *descriptors, 2500));
  ASSERT_TRUE(server.endpoint->send(pattern(30), descriptors->front().token));
  pair.drain(server);
  while (all<Received>(client).empty() || all<Transferred>(server).size() < 2) ASSERT_TRUE(pair.step());
  EXPECT_TRUE(std::ranges::equal(content, std::span(memory).subspan(1500, 8000)));
  EXPECT_TRUE(std::ranges::equal(copy, std::span(memory).subspan(2500, 7000)));
  ASSERT_EQ(all<Invalidated>(client).size(), 1u);
  EXPECT_EQ(all<Invalidated>(client)[0].token, descriptors->front().token);
  EXPECT_EQ(client.registrar.regions.count(descriptors->front().token), 0u);
}

TEST(Pair, EndsInOrder) {
  Pair pair({}, {}, 5);
  pair.establish();
  ASSERT_TRUE(pair.sides[0].endpoint->send(pattern(100'000)));
  pair.sides[0].endpoint->close(pair.now);
  pair.drain(pair.sides[0]);
  while (all<Disconnected>(pair.sides[0]).empty()) ASSERT_TRUE(pair.step());
  ASSERT_EQ(all<Received>(pair.sides[1]).size(), 1u);
  EXPECT_EQ(all<Received>(pair.sides[1])[0].data, pattern(100'000));
  EXPECT_EQ(all<Disconnected>(pair.sides[1]).size(), 1u);
  EXPECT_FALSE(pair.step()) << "nothing is left, no timer either";
}

// --------------------------------------------------------------------------------------- arbitrary messages of a peer

TEST(Endpoint, SurvivesAnyOctetsInBoundedMemory) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    std::mt19937 random(seed);
    const Role role = seed % 2 == 0 ? Role::initiator : Role::responder;
    Rig rig(role, {.max_fragmented_recv_size = 131'072, .receive_octets = 100'000, .backlog_octets = 20'000});
    if (seed % 5 != 0) rig.negotiate();
    for (int i = 0; i < 200; ++i) {
      OctetBuffer octets =
          data_of(pattern(random() % 900),
                  {.credits_requested = static_cast<std::uint16_t>(random() % 300),
                   .credits_granted = static_cast<std::uint16_t>(random()),
                   .flags = static_cast<std::uint16_t>(random() % 4),
                   .remaining = static_cast<std::uint32_t>(random() % 3 == 0 ? random() % 200'000 : 0)});
      if (random() % 30 == 0) octets[random() % octets.size()] = static_cast<Octet>(random());
      if (random() % 50 == 0) octets.resize(random() % (octets.size() + 1));
      rig.endpoint->receive(octets, std::nullopt, rig.now);
      if (random() % 10 == 0) rig.drain();
      ASSERT_LE(rig.endpoint->octets_held(), 131'072u + 20'000u + 120'000u);
      ASSERT_LE(rig.endpoint->receive_credits(), 100'000u / 1024 + 2);
      if (random() % 20 == 0) rig.pass(seconds(1));
      static_cast<void>(rig.endpoint->send(pattern(random() % 5000)));
    }
    rig.endpoint->disconnected(rig.now);
    rig.drain();
    EXPECT_EQ(rig.endpoint->phase(), Phase::ended);
    EXPECT_EQ(rig.all<Disconnected>().size(), 1u);
  }
}

}  // namespace
}  // namespace wirelaw::smbd
