// SPDX-License-Identifier: Apache-2.0
// Two endpoints over a pipe that cuts the stream at random: every operation, and its events at the upper layers.
#include <gtest/gtest.h>

#include "reference/rdmap/test_stream.h"

namespace wirelaw::rdmap {
namespace {

constexpr Access kReadWrite{.read = true, .write = true};
constexpr Access kAll{.read = true, .write = true, .atomic = true};

// Expects this number of completions, all of them ok.
void expect_all_ok(const End& end, std::size_t completions) {
  const auto done = end.all<Completed>();
  EXPECT_EQ(done.size(), completions);
  for (std::size_t i = 1; i < done.size(); ++i) EXPECT_LT(done[i - 1].id, done[i].id);
  for (const Completed& one : done) EXPECT_TRUE(one.ok);
  EXPECT_EQ(end.count<LocalError>(), 0u);
  EXPECT_EQ(end.count<RemoteTerminate>(), 0u);
}

TEST(Endpoint, SendsOfEveryFormArriveInOrder) {
  Pair pair;
  pair.run();
  const Stag first = pair.responder.offer(10, kReadWrite);
  const Stag second = pair.responder.offer(10, kReadWrite);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(pair.responder.endpoint.post_receive(100));
  Endpoint& sender = pair.initiator.endpoint;
  const OctetBuffer data = pattern(50);
  ASSERT_TRUE(sender.post_send(data));
  ASSERT_TRUE(sender.post_send(data, SendForm::invalidate, first));
  ASSERT_TRUE(sender.post_send(pattern(3), SendForm::solicited));
  ASSERT_TRUE(sender.post_send(OctetBuffer{}, SendForm::solicited_invalidate, second));
  pair.run();
  expect_all_ok(pair.initiator, 4);
  const auto received = pair.responder.all<Received>();
  ASSERT_EQ(received.size(), 4u);
  EXPECT_EQ(received[0].data, data);
  EXPECT_FALSE(received[0].solicited());
  EXPECT_FALSE(received[0].invalidated);
  EXPECT_EQ(received[1].invalidated, first);
  EXPECT_EQ(received[2].data, pattern(3));
  EXPECT_TRUE(received[2].solicited());
  EXPECT_TRUE(received[3].data.empty());
  EXPECT_TRUE(received[3].solicited());
  EXPECT_EQ(received[3].invalidated, second);
  EXPECT_FALSE(pair.responder.buffers.valid(first));
  EXPECT_FALSE(pair.responder.buffers.valid(second));
  EXPECT_EQ(received[0].id + 3, received[3].id);
  EXPECT_EQ(pair.responder.endpoint.receives_left(), 0u);
}

TEST(Endpoint, MovesEverySizeAroundTheMulpduByEveryOperation) {
  // An EMSS of 1460 octets gives a MULPDU of 1454, of which 14 or 18 octets are the header.
  std::vector<std::size_t> sizes{0, 1, 2, 3, 4, 5, 127, 128};
  for (const std::size_t around : {1436u, 1440u, 1454u, 2 * 1436u, 2 * 1440u, 3 * 1440u, 20'000u})
    for (std::size_t size = around - 2; size <= around + 2; ++size) sizes.push_back(size);
  PairOptions options;
  options.longest_piece = 6000;
  Pair pair(options);
  pair.run();
  ASSERT_EQ(pair.initiator.endpoint.mulpdu(), 1454u);
  const Stag remote = pair.responder.offer(30'000, kReadWrite, 77);
  OctetBuffer& there = pair.responder.last_memory();
  const Stag local = pair.initiator.offer(30'000, {});
  OctetBuffer& here = pair.initiator.last_memory();
  unsigned seed = 0;
  for (const std::size_t size : sizes) {
    const OctetBuffer data = pattern(size, ++seed);
    ASSERT_TRUE(pair.responder.endpoint.post_receive(size));
    ASSERT_TRUE(pair.initiator.endpoint.post_send(data));
    ASSERT_TRUE(pair.initiator.endpoint.post_write(data, {remote, 77 + 10}));
    ASSERT_TRUE(pair.initiator.endpoint.post_read({local, 3}, {remote, 77 + 10}, static_cast<std::uint32_t>(size)));
    pair.run();
    ASSERT_EQ(pair.responder.all<Received>().back().data, data) << size;
    ASSERT_TRUE(std::equal(data.begin(), data.end(), there.begin() + 10)) << size;
    ASSERT_TRUE(std::equal(data.begin(), data.end(), here.begin() + 3)) << size;
  }
  expect_all_ok(pair.initiator, 3 * sizes.size());
  expect_all_ok(pair.responder, 0);
}

struct Framing {
  bool initiator_markers, responder_markers, initiator_crc, responder_crc;
};

TEST(Endpoint, AgreesOnMarkersByDirectionAndOnCrcsForBoth) {
  for (unsigned bits = 0; bits < 16; ++bits) {
    PairOptions options;
    options.initiator.markers = (bits & 1) != 0;
    options.responder.markers = (bits & 2) != 0;
    options.initiator.crc = (bits & 4) != 0;
    options.responder.crc = (bits & 8) != 0;
    options.seed = bits;
    Pair pair(options);
    pair.run();
    ASSERT_TRUE(pair.responder.endpoint.post_receive(5000));
    ASSERT_TRUE(pair.initiator.endpoint.post_receive(5000));
    ASSERT_TRUE(pair.initiator.endpoint.post_send(pattern(4321)));
    pair.run();
    ASSERT_TRUE(pair.responder.endpoint.post_send(pattern(4321, 9)));
    pair.run();
    ASSERT_EQ(pair.responder.count<Received>(), 1u) << bits;
    ASSERT_EQ(pair.initiator.count<Received>(), 1u) << bits;
    EXPECT_EQ(pair.initiator.all<Received>()[0].data, pattern(4321, 9));
    const Agreement& agreed = pair.initiator.endpoint.agreement();
    EXPECT_EQ(agreed.expect_markers, options.initiator.markers);
    EXPECT_EQ(agreed.send_markers, options.responder.markers);
    EXPECT_EQ(agreed.crc, options.initiator.crc || options.responder.crc);
    EXPECT_EQ(pair.initiator.endpoint.mulpdu(), agreed.send_markers ? 1442u : 1454u);
  }
}

TEST(Endpoint, PostsFromBothSidesAtOnce) {
  PairOptions options;
  options.seed = 5;
  Pair pair(options);
  pair.run();
  const Stag at_responder = pair.responder.offer(100'000, kReadWrite);
  const Stag at_initiator = pair.initiator.offer(100'000, kReadWrite);
  pair.responder.fill(pattern(100'000, 1));
  const OctetBuffer data = pattern(100'000, 2);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(pair.responder.endpoint.post_receive(3000));
    ASSERT_TRUE(pair.initiator.endpoint.post_receive(3000));
  }
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(pair.initiator.endpoint.post_send(Octets(data).first(3000)));
    ASSERT_TRUE(pair.initiator.endpoint.post_read({at_initiator, 0}, {at_responder, 0}, 50'000));
    ASSERT_TRUE(pair.responder.endpoint.post_send(Octets(data).first(3000)));
    ASSERT_TRUE(pair.responder.endpoint.post_write(Octets(data).first(40'000), {at_initiator, 60'000}));
    ASSERT_TRUE(pair.responder.endpoint.post_read({at_responder, 70'000}, {at_initiator, 60'000}, 30'000));
  }
  pair.run();
  expect_all_ok(pair.initiator, 20);
  expect_all_ok(pair.responder, 30);
  EXPECT_EQ(pair.initiator.count<Received>(), 10u);
  EXPECT_EQ(pair.responder.count<Received>(), 10u);
  EXPECT_TRUE(std::equal(data.begin(), data.begin() + 30'000, pair.responder.last_memory().begin() + 70'000));
}

TEST(Endpoint, KeepsItsReadsWithinTheLimitsAndAnswersThemInOrder) {
  PairOptions options;
  options.initiator.enhanced = true;
  options.initiator.ord = 3;
  options.responder.ird = 2;
  Pair pair(options);
  pair.run();
  EXPECT_EQ(pair.initiator.endpoint.agreement().depths.ord, 2);
  const Stag source = pair.responder.offer(5000, kReadWrite);
  pair.responder.fill(pattern(5000));
  const Stag sink = pair.initiator.offer(5000, {});
  for (std::uint32_t i = 0; i < 50; ++i)
    ASSERT_TRUE(pair.initiator.endpoint.post_read({sink, i * 100}, {source, i * 100}, 100));
  pair.run();
  expect_all_ok(pair.initiator, 50);
  EXPECT_EQ(pair.initiator.last_memory(), pattern(5000));
}

TEST(Endpoint, TakesTheDepthsThatTheUpperLayersHaveAgreedOn) {
  Pair pair;
  pair.run();
  pair.initiator.endpoint.set_depths({.ird = 0, .ord = 1});
  pair.responder.endpoint.set_depths({.ird = 1, .ord = 0});
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(pair.initiator.endpoint.post_read({0, 0}, {0, 0}, 0));
  pair.run();
  expect_all_ok(pair.initiator, 3);
  ASSERT_TRUE(pair.responder.endpoint.post_read({0, 0}, {0, 0}, 0));
  pair.run();
  EXPECT_EQ(pair.responder.endpoint.work_left(), 1u) << "with no slot at the other end it waits for ever";
}

TEST(Endpoint, CountsMsnsThroughZero) {
  PairOptions options;
  options.initiator.first_msn = options.responder.first_msn = 0xfffffffe;
  Pair pair(options);
  pair.run();
  const Stag source = pair.responder.offer(10, kReadWrite);
  const Stag sink = pair.initiator.offer(10, {});
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(pair.responder.endpoint.post_receive(10));
    ASSERT_TRUE(pair.initiator.endpoint.post_send(pattern(5)));
    ASSERT_TRUE(pair.initiator.endpoint.post_read({sink, 0}, {source, 0}, 10));
  }
  pair.run();
  expect_all_ok(pair.initiator, 10);
  EXPECT_EQ(pair.responder.count<Received>(), 5u);
}

TEST(Endpoint, AZeroLengthReadNeedsNoBufferAtEitherEnd) {
  Pair pair;
  pair.run();
  ASSERT_TRUE(pair.initiator.endpoint.post_read({0, 0}, {0xdead, 99}, 0));
  pair.run();
  expect_all_ok(pair.initiator, 1);
}

TEST(Endpoint, HoldsNoMoreThanAnFpduOfAHugeWrite) {
  PairOptions options;
  options.initiator.mulpdu = 4096;
  options.initiator.output_octets = 16'384;
  options.longest_piece = 100'000;
  Pair pair(options);
  pair.run();
  const Stag sink = pair.responder.offer(1 << 22, kReadWrite);
  const OctetBuffer data = pattern(1 << 22);
  ASSERT_TRUE(pair.initiator.endpoint.post_write(data, {sink, 0}));
  OctetBuffer next;
  std::size_t longest = 0;
  while (pair.initiator.endpoint.next_octets(next)) {
    longest = std::max(longest, next.size());
    pair.responder.endpoint.receive(next, pair.now);
    EXPECT_LT(pair.responder.endpoint.memory(), 10'000u);
  }
  EXPECT_LT(longest, 16'384u + 4200);
  EXPECT_EQ(pair.responder.last_memory(), data);
}

TEST(Endpoint, PerformsAtomicOperationsBetweenReads) {
  PairOptions options;
  options.initiator.extensions = options.responder.extensions = true;
  options.initiator.ord = 2;
  Pair pair(options);
  pair.run();
  const Stag remote = pair.responder.offer(32, kAll, 64);
  const Stag local = pair.initiator.offer(32, {});
  Endpoint& sender = pair.initiator.endpoint;
  ASSERT_TRUE(sender.post_fetch_add({remote, 72}, 5));
  ASSERT_TRUE(sender.post_fetch_add({remote, 72}, 6));
  ASSERT_TRUE(sender.post_read({local, 0}, {remote, 72}, 8));
  ASSERT_TRUE(sender.post_compare_swap({remote, 72}, 100, ~0ull, 11, ~0ull));
  ASSERT_TRUE(sender.post_compare_swap({remote, 72}, 200, ~0ull, 11, ~0ull));
  ASSERT_TRUE(sender.post_read({local, 8}, {remote, 72}, 8));
  pair.run();
  expect_all_ok(pair.initiator, 6);
  const auto done = pair.initiator.all<Completed>();
  EXPECT_EQ(done[0].original, 0u);
  EXPECT_EQ(done[1].original, 5u);
  EXPECT_EQ(done[3].original, 11u);
  EXPECT_EQ(done[4].original, 100u);
  EXPECT_EQ(load_native<std::uint64_t>(pair.initiator.last_memory().data()), 11u);
  EXPECT_EQ(load_native<std::uint64_t>(pair.initiator.last_memory().data() + 8), 100u);
}

TEST(Endpoint, DeliversImmediateDataLikeASend) {
  PairOptions options;
  options.initiator.extensions = options.responder.extensions = true;
  Pair pair(options);
  pair.run();
  const Stag remote = pair.responder.offer(100, kAll);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(pair.responder.endpoint.post_receive(8));
  ASSERT_TRUE(pair.initiator.endpoint.post_write(pattern(100), {remote, 0}));
  ASSERT_TRUE(pair.initiator.endpoint.post_immediate(0x0102030405060708));
  ASSERT_TRUE(pair.initiator.endpoint.post_immediate(7, true));
  pair.run();
  const auto received = pair.responder.all<Received>();
  ASSERT_EQ(received.size(), 2u);
  EXPECT_EQ(received[0].opcode, Opcode::immediate_data);
  EXPECT_EQ(received[0].data, (OctetBuffer{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_TRUE(received[1].solicited());
  EXPECT_EQ(pair.responder.last_memory(), pattern(100));
}

TEST(Endpoint, RefusesWorkThatItCannotDo) {
  PairOptions options;
  options.initiator.max_work = 2;
  options.initiator.max_receives = 1;
  Pair pair(options);
  Endpoint& endpoint = pair.initiator.endpoint;
  EXPECT_EQ(endpoint.post_send(pattern(1)).error(), PostError::not_open) << "before there is a stream";
  EXPECT_TRUE(endpoint.post_receive(1));
  EXPECT_EQ(endpoint.post_receive(1).error(), PostError::queue_full);
  EXPECT_EQ(endpoint.accept().error(), PostError::not_asked);
  EXPECT_EQ(endpoint.reject().error(), PostError::not_asked);
  pair.run();
  const Stag sink = pair.initiator.offer(10, {});
  EXPECT_EQ(endpoint.post_read({sink, 0}, {1, 0}, 11).error(), PostError::bad_buffer);
  EXPECT_EQ(endpoint.post_read({sink + 1, 0}, {1, 0}, 1).error(), PostError::bad_buffer);
  EXPECT_EQ(endpoint.post_fetch_add({1, 0}, 1).error(), PostError::no_extensions);
  EXPECT_EQ(endpoint.post_compare_swap({1, 0}, 1, 1, 1, 1).error(), PostError::no_extensions);
  EXPECT_EQ(endpoint.post_immediate(1).error(), PostError::no_extensions);
  EXPECT_TRUE(endpoint.post_write(Octets{}, {1, 0}));
  EXPECT_TRUE(endpoint.post_write(Octets{}, {1, 0}));
  EXPECT_EQ(endpoint.post_write(Octets{}, {1, 0}).error(), PostError::queue_full);
  endpoint.close();
  EXPECT_EQ(endpoint.post_write(Octets{}, {1, 0}).error(), PostError::not_open);
}

}  // namespace
}  // namespace wirelaw::rdmap
