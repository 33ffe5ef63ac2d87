// SPDX-License-Identifier: Apache-2.0
// Endpoint against endpoint: messages by every subprotocol (3.2, 4). Checks the packets, and the results of the
// applications.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/efa/endpoint.h"
#include "reference/efa/test_world.h"

namespace wirelaw::efa {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::SizeIs;
using namespace std::chrono_literals;

struct MessageCase {
  const char* name;
  std::size_t size;
  std::optional<Transfer> transfer;
  bool tagged, delivery_complete, posted_first;
};

class Message : public testing::TestWithParam<MessageCase> {};

TEST_P(Message, Arrives) {
  const MessageCase& wanted = GetParam();
  for (const bool reorder : {false, true})
    for (std::uint64_t seed = 1; seed < (reorder ? 6u : 2u); ++seed) {
      World world(with_rdma(), with_rdma(), {.duplication = reorder ? 0.3 : 0, .reordering = reorder ? 1.0 : 0}, seed);
      shake_hands(world);
      const ReceiveCall receive{.octets = wanted.size,
                                .tag = wanted.tagged ? std::optional(ReceiveCall::TagMatch{5, 0}) : std::nullopt};
      if (wanted.posted_first) world.b.post_receive(receive, world.now);
      world.a.send(kB,
                   {.data = pattern(wanted.size),
                    .tag = wanted.tagged ? std::optional<std::uint64_t>(5) : std::nullopt,
                    .cq_data = 77,
                    .delivery_complete = wanted.delivery_complete,
                    .transfer = wanted.transfer},
                   world.now);
      world.run();
      if (!wanted.posted_first) {
        EXPECT_TRUE(world.done_b.empty());
        world.b.post_receive(receive, world.now);
        world.run();
      }
      ASSERT_EQ(world.done_b.size(), 1u);
      EXPECT_EQ(world.done_b[0].status, Status::ok);
      EXPECT_EQ(world.done_b[0].data, pattern(wanted.size));
      EXPECT_EQ(world.done_b[0].tag.has_value(), wanted.tagged);
      EXPECT_EQ(world.done_b[0].cq_data, 77u);
      EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
      EXPECT_EQ(world.a.operations() + world.b.operations(), 0u);
      EXPECT_EQ(world.b.octets_held(), 0u);
      if (!reorder) {
        EXPECT_EQ(world.drops(), 0u);
        EXPECT_EQ(world.count(PacketType::receipt), wanted.delivery_complete ? 1u : 0u);
      }
      if (wanted.transfer) {
        const Layout* const layout =
            find_request(Purpose::message, *wanted.transfer, wanted.tagged, wanted.delivery_complete);
        EXPECT_GE(world.count(layout->type), 1u);
      }
      EXPECT_FALSE(world.a.deadline() || world.b.deadline()) << "nothing is left to wait for";
    }
}

std::vector<MessageCase> message_cases() {
  std::vector<MessageCase> all;
  for (const bool tagged : {false, true})
    for (const bool first : {false, true}) {
      for (const bool dc : {false, true}) {
        all.push_back({"Eager", 100, Transfer::eager, tagged, dc, first});
        all.push_back({"EagerOfNothing", 0, Transfer::eager, tagged, dc, first});
        all.push_back({"Medium", 40'000, Transfer::medium, tagged, dc, first});
        all.push_back({"MediumOfOne", 1, Transfer::medium, tagged, dc, first});
        all.push_back({"LongCts", 3'000'000, Transfer::long_cts, tagged, dc, first});
        all.push_back({"LongCtsOfTwo", 2, Transfer::long_cts, tagged, dc, first});
        all.push_back({"Chosen", 20'000, std::nullopt, tagged, dc, first});
      }
      all.push_back({"LongRead", 200'000, Transfer::long_read, tagged, false, first});
      all.push_back({"Runting", 1'000'000, Transfer::runting_read, tagged, false, first});
      all.push_back({"RuntingOfFew", 1000, Transfer::runting_read, tagged, false, first});
    }
  return all;
}

std::string message_name(const testing::TestParamInfo<MessageCase>& info) {
  return std::string(info.param.name) + (info.param.tagged ? "Tagged" : "") +
         (info.param.delivery_complete ? "Dc" : "") + (info.param.posted_first ? "" : "Unexpected");
}

INSTANTIATE_TEST_SUITE_P(Subprotocols, Message, testing::ValuesIn(message_cases()), message_name);

TEST(Messages, ChooseTheSubprotocolByLengthAndCapabilities) {
  const auto request_for = [](std::size_t size, const Options& options) {
    World world(options, options);
    shake_hands(world);
    world.b.post_receive({.octets = size}, world.now);
    world.a.send(kB, {.data = pattern(size)}, world.now);
    world.run();
    EXPECT_EQ(world.done_b.at(0).data, pattern(size));
    return world.sent(kA).front();
  };
  Options no_runt = with_rdma();
  no_runt.runt_octets = 0;
  EXPECT_EQ(request_for(8928 - 12, {}), "EAGER_MSGRTM") << "as much as fits after header and connid";
  EXPECT_EQ(request_for(8928 - 11, {}), "MEDIUM_MSGRTM");
  EXPECT_EQ(request_for(65'536, {}), "MEDIUM_MSGRTM");
  EXPECT_EQ(request_for(65'537, {}), "LONGCTS_MSGRTM");
  EXPECT_EQ(request_for(1 << 20, {}), "LONGCTS_MSGRTM");
  EXPECT_EQ(request_for(1 << 20, with_rdma()), "RUNTREAD_MSGRTM");
  EXPECT_EQ(request_for(1 << 20, no_runt), "LONGREAD_MSGRTM");
}

TEST(Messages, AreDeliveredInTheOrderOfSendingWhateverTheNetworkDoes) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Options options = with_rdma();
    options.first_msg_id = 0xfffffff0;  // the IDs wrap on the way
    options.max_medium = 30'000;
    World world(options, options, {.duplication = 0.2, .reordering = 1}, seed);
    constexpr std::size_t kSizes[] = {0, 5, 9'000, 29'000, 70'000};
    for (unsigned i = 0; i < 60; ++i) {
      world.b.post_receive({.octets = 70'000}, 0s);
      world.a.send(kB, {.data = pattern(kSizes[i % 5], i), .delivery_complete = i % 7 == 0}, 0s);
    }
    world.run();
    ASSERT_EQ(world.done_b.size(), 60u) << seed;
    std::sort(world.done_b.begin(), world.done_b.end(), [](auto& x, auto& y) { return x.id < y.id; });
    for (unsigned i = 0; i < 60; ++i) EXPECT_EQ(world.done_b[i].data, pattern(kSizes[i % 5], i)) << seed << " " << i;
    EXPECT_EQ(world.done_a.size(), 60u);
    EXPECT_THAT(world.done_a, Each(Field(&Completion::status, Status::ok)));
    EXPECT_EQ(world.a.operations() + world.b.operations(), 0u);
  }
}

// The packets of the message are never fetched.
TEST(Messages, ThatWereNeverSentLeaveNoHoleInTheMessageIds) {
  World world;
  shake_hands(world);
  world.a.send(kB, {.data = {1}}, world.now);
  world.now += Options{}.patience;
  world.a.advance(world.now);
  world.b.post_receive({.octets = 1}, world.now);
  world.a.send(kB, {.data = {2}}, world.now);
  world.run();
  ASSERT_THAT(world.done_a, SizeIs(2));
  EXPECT_EQ(world.done_a[0].status, Status::vanished);
  ASSERT_THAT(world.done_b, SizeIs(1));
  EXPECT_EQ(world.done_b[0].data, OctetBuffer{2});
}

TEST(Messages, MatchReceivesByTagAndSender) {
  World world;
  world.b.post_receive({.octets = 9, .tag = ReceiveCall::TagMatch{0x10, 0}}, 0s);
  world.b.post_receive({.octets = 9, .tag = ReceiveCall::TagMatch{0x20, 0xf}}, 0s);
  world.b.post_receive({.octets = 9, .from = 77}, 0s);
  world.b.post_receive({.octets = 9}, 0s);
  world.a.send(kB, {.data = {1}, .tag = 0x2a}, 0s);
  world.a.send(kB, {.data = {2}}, 0s);
  world.a.send(kB, {.data = {3}, .tag = 0x10}, 0s);
  world.run();
  ASSERT_EQ(world.done_b.size(), 3u);
  EXPECT_EQ(world.done_b[0].id, 1u);
  EXPECT_EQ(world.done_b[0].tag, 0x2au);
  EXPECT_EQ(world.done_b[1].id, 3u);
  EXPECT_EQ(world.done_b[2].id, 0u);
}

TEST(Messages, ThatAreTooLongForTheirReceiveAreTruncatedAndSayTheirLength) {
  for (const Transfer transfer :
       {Transfer::eager, Transfer::medium, Transfer::long_cts, Transfer::long_read, Transfer::runting_read})
    for (const std::size_t room : {0u, 10u, 6'000u}) {
      const std::size_t size = transfer == Transfer::eager ? 7'000 : 300'000;
      World world(with_rdma(), with_rdma());
      shake_hands(world);
      world.b.post_receive({.octets = room}, world.now);
      world.a.send(kB, {.data = pattern(size), .transfer = transfer}, world.now);
      world.run();
      ASSERT_EQ(world.done_b.size(), 1u) << static_cast<int>(transfer);
      EXPECT_EQ(world.done_b[0].status, Status::truncated);
      EXPECT_EQ(world.done_b[0].length, size);
      OctetBuffer expected = pattern(size);
      expected.resize(room);
      EXPECT_EQ(world.done_b[0].data, expected);
      EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
      EXPECT_EQ(world.a.operations() + world.b.operations(), 0u);
    }
}

TEST(LongCts, SendsNoMoreThanEachWindowAllows) {
  Options options;
  options.credits = 3;
  World world({}, options);
  shake_hands(world);
  world.b.post_receive({.octets = 200'000}, world.now);
  world.a.send(kB, {.data = pattern(200'000), .transfer = Transfer::long_cts}, world.now);
  world.run();
  std::uint64_t window = 0, next = 0;
  unsigned grants = 0;
  for (const Seen& one : world.seen) {
    if (one.packet.is(PacketType::longcts_msgrtm)) next = one.packet.payload.size();
    if (one.packet.is(PacketType::cts)) {
      EXPECT_EQ(window, 0u) << "a new window when the old one is used up";
      window = one.packet.recv_length;
      ++grants;
    }
    if (one.packet.is(PacketType::ctsdata)) {
      EXPECT_EQ(one.packet.seg_offset, next);
      EXPECT_LE(one.packet.seg_length, window);
      next += one.packet.seg_length;
      window -= one.packet.seg_length;
    }
  }
  EXPECT_EQ(next, 200'000u);
  EXPECT_EQ(grants, 8u);
  EXPECT_EQ(world.first(PacketType::longcts_msgrtm).credit_request, 64u);
}

TEST(RuntingRead, ReadsWhatTheRuntPacketsDidNotCarry) {
  Options options = with_rdma();
  options.runt_octets = 20'000;
  World world(options, options);
  shake_hands(world);
  world.b.post_receive({.octets = 100'000}, world.now);
  world.a.send(kB, {.data = pattern(100'000), .transfer = Transfer::runting_read}, world.now);
  world.run();
  EXPECT_THAT(world.sent(kA), ElementsAre("RUNTREAD_MSGRTM", "RUNTREAD_MSGRTM", "RUNTREAD_MSGRTM"));
  EXPECT_THAT(world.sent(kB), ElementsAre("EOR"));
  for (const Seen& one : world.seen)
    if (one.from == kA) {
      EXPECT_EQ(one.packet.runt_length, 20'000u) << "the total, in each packet (EFA/A-04)";
    }
  EXPECT_EQ(world.done_b.at(0).data, pattern(100'000));
}

struct NackCase {
  Transfer transfer;
  bool delivery_complete;
  std::uint64_t before;  // octets sent before the READ_NACK
};

TEST(ReadNack, SendsTheSameMessageByLongCts) {
  for (const NackCase& one : {NackCase{Transfer::long_read, false, 0}, NackCase{Transfer::long_read, true, 0},
                              NackCase{Transfer::runting_read, false, 20'000}})
    for (const bool reorder : {false, true}) {
      Options sender = with_rdma(), receiver = with_rdma();
      sender.runt_octets = 20'000;
      receiver.registrations = 0;
      World world(sender, receiver, {.duplication = reorder ? 0.3 : 0, .reordering = reorder ? 1.0 : 0});
      shake_hands(world);
      world.b.post_receive({.octets = 100'000, .tag = ReceiveCall::TagMatch{3, 0}}, world.now);
      world.a.send(
          kB,
          {.data = pattern(100'000), .tag = 3, .delivery_complete = one.delivery_complete, .transfer = one.transfer},
          world.now);
      world.run();
      ASSERT_EQ(world.done_b.size(), 1u);
      EXPECT_EQ(world.done_b[0].status, Status::ok);
      EXPECT_EQ(world.done_b[0].data, pattern(100'000));
      EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
      const Packet& again =
          world.first(one.delivery_complete ? PacketType::dc_longcts_tagrtm : PacketType::longcts_tagrtm);
      EXPECT_TRUE(again.has(flag::kReadNack));
      EXPECT_TRUE(again.payload.empty());
      EXPECT_EQ(again.msg_length, 100'000u);
      EXPECT_EQ(again.msg_id, 1u) << "the ID of the message that was refused";
      if (!reorder) {
        EXPECT_EQ(world.count(PacketType::read_nack), 1u);
        EXPECT_EQ(world.first(PacketType::cts).recv_length, 100'000u - one.before);
        EXPECT_EQ(world.first(PacketType::ctsdata).seg_offset, one.before);
        EXPECT_EQ(world.drops(), 0u);
      }
    }
}

TEST(ReadNack, IsNotSentToASenderThatDoesNotKnowIt) {
  Options receiver = with_rdma();
  receiver.registrations = 0;
  World world(with_extras({Extra::rdma_read}), receiver);
  shake_hands(world);
  world.b.post_receive({.octets = 100'000}, world.now);
  world.a.send(kB, {.data = pattern(100'000), .transfer = Transfer::long_read}, world.now);
  world.run();
  EXPECT_EQ(world.count(PacketType::read_nack), 0u);
  EXPECT_THAT(world.done_b, ElementsAre(Field(&Completion::status, Status::failed)));
  world.wait();
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::vanished)));
}

TEST(LongRead, GoesByLongCtsWhereTheSenderCannotRegister) {
  Options sender = with_rdma();
  sender.registrations = 0;
  World world(sender, with_rdma());
  shake_hands(world);
  world.b.post_receive({.octets = 100'000}, world.now);
  world.a.send(kB, {.data = pattern(100'000), .transfer = Transfer::long_read}, world.now);
  world.run();
  EXPECT_EQ(world.sent(kA).front(), "LONGCTS_MSGRTM");
  EXPECT_EQ(world.done_b.at(0).data, pattern(100'000));
}

TEST(LongRead, ThatTheTransportFailsEndsTheReceive) {
  World world(with_rdma(), with_rdma());
  shake_hands(world);
  world.rdma_fails = true;
  world.b.post_receive({.octets = 100'000}, world.now);
  world.a.send(kB, {.data = pattern(100'000), .transfer = Transfer::long_read}, world.now);
  world.run();
  EXPECT_THAT(world.done_b, ElementsAre(Field(&Completion::status, Status::failed)));
  EXPECT_EQ(world.count(PacketType::eor), 0u);
}

}  // namespace
}  // namespace wirelaw::efa
