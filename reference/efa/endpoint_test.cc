// SPDX-License-Identifier: Apache-2.0
// Endpoint against endpoint: every subprotocol, by the packets that go and by what the applications get.
#include "reference/efa/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/efa/test_world.h"

namespace wirelaw::efa {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using namespace std::chrono_literals;

// The first message makes both sides known to each other.
void shake_hands(World& world) {
  world.b.post_receive({.octets = 0}, world.now);
  world.a.send(kB, {.data = {}}, world.now);
  world.run();
  ASSERT_TRUE(world.a.knows_capabilities_of(kB) && world.b.knows_capabilities_of(kA));
  world.seen.clear();
  world.done_a.clear();
  world.done_b.clear();
}

// ------------------------------------------------------------------------------------------------ handshake (2)

TEST(Handshake, AnswersTheFirstPacketOnceOnEitherSide) {
  World world;
  world.b.post_receive({.octets = 3}, 0s);
  world.a.send(kB, {.data = {1, 2, 3}}, 0s);
  world.run();
  EXPECT_THAT(world.sent(kA), ElementsAre("EAGER_MSGRTM", "HANDSHAKE"));
  EXPECT_THAT(world.sent(kB), ElementsAre("HANDSHAKE"));
  ASSERT_EQ(world.done_b.size(), 1u);
  EXPECT_EQ(world.done_b[0].data, (OctetBuffer{1, 2, 3}));
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
}

TEST(Handshake, SaysWhatItsOptionsSay) {
  Options options;
  options.extra_info = {0x1a, 1};
  options.host_id = 7;
  options.device_version = 0xefa2;
  World world({}, options);
  world.a.send(kB, {.data = {1}}, 0s);
  world.run();
  const Packet& packet = world.first(PacketType::handshake);
  EXPECT_EQ(packet.nextra_p3, 5u);
  EXPECT_EQ(packet.extra_info.size(), 16u);
  EXPECT_TRUE(announces(packet.extra_info, 64));
  EXPECT_EQ(connid_of(packet), world.b.address().connid);
  EXPECT_EQ(packet.host_id, 7u);
  EXPECT_EQ(packet.device_version, 0xefa2u);
}

TEST(Handshake, EndsTheRawAddressInRequests) {
  World world;
  world.a.send(kB, {.data = {1}}, 0s);
  world.a.send(kB, {.data = {2}}, 0s);
  world.run();
  world.a.send(kB, {.data = {3}}, 0s);
  world.run();
  std::vector<bool> with_address;
  for (const Seen& one : world.seen)
    if (one.packet.is(PacketType::eager_msgrtm)) with_address.push_back(one.packet.has(flag::kRawAddress));
  EXPECT_THAT(with_address, ElementsAre(true, true, false));
  const auto address = decode_raw_address(world.first(PacketType::eager_msgrtm).raw_address);
  EXPECT_TRUE(address->same_endpoint(world.a.address()));
  EXPECT_EQ(connid_of(world.seen.back().packet), world.a.address().connid) << "connid where the peer asks for it";
}

TEST(Handshake, LeavesConnidOutWhereNobodyAsksForIt) {
  World world({}, with_extras({}));
  shake_hands(world);
  world.a.send(kB, {.data = {1}}, 0s);
  world.run();
  EXPECT_EQ(world.first(PacketType::eager_msgrtm).flags, flag::kMsg);
}

TEST(Handshake, KeepsTheHeaderLengthWhereThePeerAsksForIt) {
  World world({}, with_extras({Extra::constant_header_length, Extra::connid_header}));
  world.a.send(kB, {.data = {1}}, 0s);
  world.run();
  world.a.send(kB, {.data = {2}}, 0s);
  world.run();
  std::vector<std::size_t> lengths;
  for (const Seen& one : world.seen)
    if (one.packet.is(PacketType::eager_msgrtm)) lengths.push_back(header_octets(one.packet));
  EXPECT_THAT(lengths, ElementsAre(48u, 48u));
}

TEST(Handshake, IsTriggeredByAnEmptyWriteWhereAFeatureIsNeeded) {
  World world;
  world.b.post_receive({.octets = 1}, 0s);
  world.a.send(kB, {.data = {1}, .delivery_complete = true}, 0s);
  world.run();
  EXPECT_THAT(world.sent(kA), ElementsAre("EAGER_RTW", "HANDSHAKE", "DC_EAGER_MSGRTM"));
  EXPECT_THAT(world.sent(kB), ElementsAre("HANDSHAKE", "RECEIPT"));
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
}

TEST(Handshake, RefusesACallThatThePeerCannotServe) {
  World world({}, with_extras({}));
  world.a.send(kB, {.data = {1}, .delivery_complete = true}, 0s);
  world.a.send(kB, {.data = {2}}, 0s);
  world.run();
  ASSERT_EQ(world.done_a.size(), 2u);
  EXPECT_EQ(world.done_a[0].status, Status::unsupported);
  EXPECT_EQ(world.done_a[1].status, Status::ok) << "what was held back behind it goes on";
}

TEST(Handshake, ThatNeverComesFailsWhatWaitsForIt) {
  World world;
  world.passes = [](PeerId from, const OctetBuffer&) { return from != kB; };
  world.a.send(kB, {.data = {1}, .delivery_complete = true}, 0s);
  world.wait();
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::vanished)));
  EXPECT_EQ(world.now, 10s);
  EXPECT_EQ(world.a.operations(), 0u);
}

TEST(Handshake, WithMoreThanItKnowsIsTaken) {
  Options options;
  options.extra_info = {0x35b, ~0ull, ~0ull};
  World world({}, options);
  shake_hands(world);
  EXPECT_EQ(world.drops(), 0u);
}

// ------------------------------------------------------------------------------------------------ messages (3.2)

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
      World world(with_rdma(), with_rdma(), {.reorder = reorder, .doubling = reorder ? 30u : 0u}, seed);
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
  EXPECT_EQ(request_for(8928 - 12, {}), "EAGER_MSGRTM") << "as much as fits behind header and connid";
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
    World world(options, options, {.reorder = true, .doubling = 20}, seed);
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
      EXPECT_EQ(one.packet.runt_length, 20'000u) << "the total, in each packet (A-04)";
    }
  EXPECT_EQ(world.done_b.at(0).data, pattern(100'000));
}

struct NackCase {
  Transfer transfer;
  bool delivery_complete;
  std::uint64_t before;  // octets that go before the READ_NACK
};

TEST(ReadNack, SendsTheSameMessageByLongCts) {
  for (const NackCase& one : {NackCase{Transfer::long_read, false, 0}, NackCase{Transfer::long_read, true, 0},
                              NackCase{Transfer::runting_read, false, 20'000}})
    for (const bool reorder : {false, true}) {
      Options sender = with_rdma(), receiver = with_rdma();
      sender.runt_octets = 20'000;
      receiver.registrations = 0;
      World world(sender, receiver, {.reorder = reorder, .doubling = reorder ? 30u : 0u});
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

TEST(LongRead, ThatTheCarriageFailsEndsTheReceive) {
  World world(with_rdma(), with_rdma());
  shake_hands(world);
  world.rdma_fails = true;
  world.b.post_receive({.octets = 100'000}, world.now);
  world.a.send(kB, {.data = pattern(100'000), .transfer = Transfer::long_read}, world.now);
  world.run();
  EXPECT_THAT(world.done_b, ElementsAre(Field(&Completion::status, Status::failed)));
  EXPECT_EQ(world.count(PacketType::eor), 0u);
}

// -------------------------------------------------------------------------------------------- one-sided (3.3, 4)

struct WriteCase {
  const char* name;
  std::size_t size;
  std::optional<Transfer> transfer;
  bool delivery_complete;
  const char* request;
};

class Write : public testing::TestWithParam<WriteCase> {};

TEST_P(Write, ReachesTheMemoryItNames) {
  const WriteCase& wanted = GetParam();
  for (const bool reorder : {false, true}) {
    World world(with_rdma(), with_rdma(), {.reorder = reorder, .doubling = reorder ? 30u : 0u});
    shake_hands(world);
    const RmaIov one = world.b.memory().add(OctetBuffer(wanted.size + 10), Access::write);
    const RmaIov two = world.b.memory().add(OctetBuffer(20), Access::write);
    const std::size_t first = wanted.size / 2;
    world.a.write(kB,
                  {.data = pattern(wanted.size),
                   .to = {{one.addr + 10, first, one.key}, {two.addr, wanted.size - first, two.key}},
                   .cq_data = 9,
                   .delivery_complete = wanted.delivery_complete,
                   .transfer = wanted.transfer},
                  world.now);
    world.run();
    EXPECT_TRUE(world.done_b.empty()) << "the second region is too short";
    world.done_a.clear();
    const RmaIov large = world.b.memory().add(OctetBuffer(wanted.size), Access::write);
    world.a.write(kB,
                  {.data = pattern(wanted.size),
                   .to = {{one.addr + 10, first, one.key}, {large.addr, wanted.size - first, large.key}},
                   .cq_data = 9,
                   .delivery_complete = wanted.delivery_complete,
                   .transfer = wanted.transfer},
                  world.now);
    world.run();
    EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
    ASSERT_GE(world.done_b.size(), 1u);
    EXPECT_EQ(world.done_b[0].kind, Completion::Kind::remote_write);
    EXPECT_EQ(world.done_b[0].cq_data, 9u);
    OctetBuffer written(world.b.memory().octets(one.key).begin() + 10,
                        world.b.memory().octets(one.key).begin() + 10 + static_cast<std::ptrdiff_t>(first));
    const Octets rest = world.b.memory().octets(large.key).first(wanted.size - first);
    written.insert(written.end(), rest.begin(), rest.end());
    EXPECT_EQ(written, pattern(wanted.size));
    EXPECT_EQ(world.sent(kA).front(), wanted.request);
    const PacketType proof = wanted.transfer == Transfer::long_read ? PacketType::eor : PacketType::receipt;
    if (!reorder && wanted.delivery_complete) {
      EXPECT_EQ(world.count(proof), 1u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Subprotocols, Write,
                         testing::Values(WriteCase{"Eager", 1000, {}, false, "EAGER_RTW"},
                                         WriteCase{"LongCts", 100'000, {}, false, "LONGCTS_RTW"},
                                         WriteCase{"DcEager", 1000, {}, true, "DC_EAGER_RTW"},
                                         WriteCase{"DcLongCts", 100'000, {}, true, "DC_LONGCTS_RTW"},
                                         WriteCase{"LongRead", 100'000, Transfer::long_read, false, "LONGREAD_RTW"},
                                         WriteCase{"LongReadDc", 100'000, Transfer::long_read, true, "LONGREAD_RTW"}),
                         [](const auto& one) { return one.param.name; });

TEST(Writes, OfNothingAreLegal) {
  World world;
  world.a.write(kB, {.data = {}, .to = {}}, 0s);
  world.run();
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
  EXPECT_EQ(world.drops(), 0u);
}

TEST(Writes, WhoseLengthsDisagreeAreRefusedAtOnce) {
  World world;
  world.a.write(kB, {.data = {1, 2}, .to = {{0, 1, 1}}}, 0s);
  world.run();
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::invalid)));
  EXPECT_TRUE(world.seen.empty());
}

TEST(Writes, GoOnAfterAReadNack) {
  Options receiver = with_rdma();
  receiver.registrations = 0;
  World world(with_rdma(), receiver);
  shake_hands(world);
  const RmaIov region = world.b.memory().add(OctetBuffer(100'000), Access::write);
  world.a.write(kB, {.data = pattern(100'000), .to = {region}, .transfer = Transfer::long_read}, world.now);
  world.run();
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
  EXPECT_TRUE(std::ranges::equal(world.b.memory().octets(region.key), pattern(100'000)));
  EXPECT_FALSE(world.first(PacketType::longcts_rtw).has(flag::kReadNack)) << "a fresh request (A-17)";
}

TEST(Reads, GiveWhatTheMemoryHolds) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{8'903}, std::size_t{8'904}, std::size_t{2'000'000}})
    for (const bool reorder : {false, true}) {
      World world({}, {}, {.reorder = reorder, .doubling = reorder ? 30u : 0u});
      const RmaIov one = world.b.memory().add(pattern(size), Access::read);
      const RmaIov two = world.b.memory().add(pattern(7), Access::read);
      world.a.read(kB, {.from = {one, two}}, 0s);
      world.run();
      ASSERT_EQ(world.done_a.size(), 1u);
      EXPECT_EQ(world.done_a[0].status, Status::ok);
      OctetBuffer expected = pattern(size);
      const OctetBuffer tail = pattern(7);
      expected.insert(expected.end(), tail.begin(), tail.end());
      EXPECT_EQ(world.done_a[0].data, expected);
      EXPECT_EQ(world.sent(kA).front(), size + 7 < 8'904 ? "SHORT_RTR" : "LONGCTS_RTR");
      EXPECT_EQ(world.a.operations() + world.b.operations(), 0u);
      if (!reorder && size > 1'000'000) {
        EXPECT_GE(world.count(PacketType::cts), 3u);
        EXPECT_TRUE(world.first(PacketType::cts).has(flag::kCtsEmulatedRead));
      }
    }
}

TEST(Reads, OfWhatMayNotBeReadStayUnansweredAndAreGivenUp) {
  World world;
  const RmaIov region = world.b.memory().add(pattern(100), Access::write);
  world.a.read(kB, {.from = {region}}, 0s);
  world.wait();
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::vanished)));
  EXPECT_EQ(world.b.dropped(Drop::contradicts), 1u);
}

TEST(Direct, ReadsAndWritesGoByRdmaAlone) {
  World world(with_rdma(), with_rdma());
  shake_hands(world);
  const RmaIov region = world.b.memory().add(OctetBuffer(1000), Access::read_write);
  world.a.write(kB, {.data = pattern(1000), .to = {region}, .cq_data = 4, .direct = true}, world.now);
  world.run();
  world.a.read(kB, {.from = {region}, .direct = true}, world.now);
  world.run();
  EXPECT_TRUE(world.seen.empty()) << "no packets at all";
  ASSERT_EQ(world.done_a.size(), 2u);
  EXPECT_EQ(world.done_a[1].data, pattern(1000));
  EXPECT_THAT(world.done_b, ElementsAre(Field(&Completion::cq_data, std::optional<std::uint64_t>(4))));
}

TEST(Direct, ReadsNeedAPeerThatSupportsThem) {
  World world(with_rdma(), {});
  const RmaIov region = world.b.memory().add(OctetBuffer(1000), Access::read_write);
  world.a.read(kB, {.from = {region}, .direct = true}, 0s);
  world.run();
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::unsupported)));
}

OctetBuffer u64(std::initializer_list<std::uint64_t> values) {
  OctetBuffer octets;
  for (const std::uint64_t value : values) Writer(octets).little_endian(value);
  return octets;
}

TEST(Atomics, WriteFetchAndCompare) {
  World world;
  const RmaIov region = world.b.memory().add(u64({10, 20}), Access::read_write);
  world.a.atomic(kB, {.operand = u64({1, 2}), .on = {region}}, 0s);
  world.run();
  EXPECT_TRUE(std::ranges::equal(world.b.memory().octets(region.key), u64({11, 22})));
  world.a.atomic(kB, {.call = AtomicCall::fetch, .operand = u64({1, 2}), .on = {region}}, 0s);
  world.run();
  EXPECT_EQ(world.done_a.back().data, u64({11, 22})) << "the values before";
  world.a.atomic(kB,
                 {.call = AtomicCall::compare,
                  .op = AtomicOp::cswap,
                  .operand = u64({7, 8}),
                  .compare = u64({12, 0}),
                  .on = {region}},
                 0s);
  world.run();
  EXPECT_EQ(world.done_a.back().data, u64({12, 24}));
  EXPECT_TRUE(std::ranges::equal(world.b.memory().octets(region.key), u64({7, 24})));
  world.a.atomic(kB, {.call = AtomicCall::fetch, .op = AtomicOp::atomic_read, .on = {region}}, 0s);
  world.run();
  EXPECT_EQ(world.done_a.back().data, u64({7, 24}));
  world.a.atomic(kB, {.operand = u64({1, 1}), .on = {region}, .delivery_complete = true}, 0s);
  world.run();
  EXPECT_EQ(world.count(PacketType::receipt), 1u);
  EXPECT_THAT(world.sent(kA),
              ElementsAre("WRITE_RTA", "HANDSHAKE", "FETCH_RTA", "COMPARE_RTA", "FETCH_RTA", "DC_WRITE_RTA"));
  EXPECT_EQ(world.done_a.size(), 5u);
  EXPECT_THAT(world.done_a, Each(Field(&Completion::status, Status::ok)));
}

TEST(Atomics, OfEveryOperationAndDatatypeGoOverTheWire) {
  World world;
  unsigned done = 0;
  for (const AtomicOpInfo& op : all_atomic_ops())
    for (const DatatypeInfo& type : all_datatypes()) {
      const auto call = op.allowed_in(AtomicCall::compare) ? AtomicCall::compare : AtomicCall::fetch;
      const OctetBuffer before(type.octets, 0);
      const RmaIov region = world.b.memory().add(before, Access::read_write);
      const OctetBuffer operand(op.op == AtomicOp::atomic_read ? 0 : type.octets, 0);
      const OctetBuffer compare(call == AtomicCall::compare ? type.octets : 0, 0);
      const bool defined = atomic_defined(static_cast<std::uint32_t>(op.op), static_cast<std::uint32_t>(type.datatype));
      world.a.atomic(kB,
                     {.call = call,
                      .op = op.op,
                      .datatype = type.datatype,
                      .operand = operand,
                      .compare = compare,
                      .on = {region}},
                     0s);
      world.run();
      EXPECT_EQ(world.done_a.back().status, defined ? Status::ok : Status::invalid) << op.name << " " << type.name;
      done += defined ? 1 : 0;
    }
  EXPECT_EQ(world.count(PacketType::atomrsp), done);
}

TEST(Atomics, AreAppliedOnceAndInOrder) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    World world({}, {}, {.reorder = true, .doubling = 40}, seed);
    const RmaIov region = world.b.memory().add(u64({1}), Access::read_write);
    std::uint64_t expected = 1;
    for (std::uint64_t i = 0; i < 40; ++i) {
      world.a.atomic(kB, {.op = i % 2 == 0 ? AtomicOp::sum : AtomicOp::prod, .operand = u64({i + 3}), .on = {region}},
                     0s);
      expected = i % 2 == 0 ? expected + i + 3 : expected * (i + 3);
      if (i % 5 == 0) world.a.send(kB, {.data = {1}}, 0s);
    }
    world.run();
    EXPECT_TRUE(std::ranges::equal(world.b.memory().octets(region.key), u64({expected}))) << seed;
  }
}

// ------------------------------------------------------------------------------------------ peers come and go

TEST(Peers, ThatFallSilentFailWhatWaitsForThem) {
  World world(with_rdma(), with_rdma());
  shake_hands(world);
  const RmaIov region = world.b.memory().add(OctetBuffer(100'000), Access::read_write);
  world.passes = [](PeerId from, const OctetBuffer&) { return from != kB; };
  world.a.send(kB, {.data = pattern(100'000), .transfer = Transfer::long_cts}, world.now);
  world.a.send(kB, {.data = pattern(100'000), .transfer = Transfer::long_read}, world.now);
  world.a.send(kB, {.data = {1}, .delivery_complete = true}, world.now);
  world.a.read(kB, {.from = {region}}, world.now);
  world.a.atomic(kB, {.call = AtomicCall::fetch, .operand = u64({1}), .on = {{region.addr, 8, region.key}}}, world.now);
  world.a.write(kB, {.data = pattern(100'000), .to = {region}}, world.now);
  world.wait();
  ASSERT_EQ(world.done_a.size(), 6u);
  EXPECT_THAT(world.done_a, Each(Field(&Completion::status, Status::vanished)));
  EXPECT_EQ(world.a.operations(), 0u);
}

TEST(Peers, ThatVanishInTheMiddleFailTheReceive) {
  World world;
  shake_hands(world);
  world.b.post_receive({.octets = 100'000}, world.now);
  world.passes = [](PeerId, const OctetBuffer& octets) { return octets[0] != 4; };
  world.a.send(kB, {.data = pattern(100'000)}, world.now);
  world.wait();
  EXPECT_THAT(world.done_b, ElementsAre(Field(&Completion::status, Status::vanished)));
  EXPECT_EQ(world.b.operations(), 0u);
}

TEST(Peers, ThatAreRemovedCancelTheirOperations) {
  World world;
  world.passes = [](PeerId, const OctetBuffer&) { return false; };
  world.a.send(kB, {.data = pattern(100'000), .transfer = Transfer::long_cts}, 0s);
  world.a.send(kB, {.data = {1}, .delivery_complete = true}, 0s);
  world.run();
  world.a.remove_peer(kB);
  world.a.remove_peer(77);
  world.run();
  EXPECT_EQ(world.done_a.size(), 2u);
  EXPECT_THAT(world.done_a, Each(Field(&Completion::status, Status::cancelled)));
  EXPECT_EQ(world.a.operations() + world.a.peers(), 0u);
  EXPECT_FALSE(world.a.deadline());
}

TEST(Peers, BeginAnewWhenAnotherEndpointTakesTheAddress) {
  World world;
  shake_hands(world);
  world.b.post_receive({.octets = 100}, world.now);
  world.b.post_receive({.octets = 100}, world.now);
  world.a.send(kB, {.data = {1}}, world.now);
  world.run();
  Endpoint other(Options{}, 99);
  other.send(kB, {.data = {2}}, world.now);
  Outgoing out;
  ASSERT_TRUE(other.next_datagram(out));
  world.b.receive(kA, out.octets, world.now);
  world.run();
  ASSERT_EQ(world.done_b.size(), 2u);
  EXPECT_EQ(world.done_b[1].data, OctetBuffer{2}) << "msg_id begins at 0 again";
  EXPECT_EQ(world.count(PacketType::handshake), 1u);
}

TEST(Peers, WithAConnidThatIsNotTheirsAreNotHeard) {
  World world;
  shake_hands(world);
  Packet packet = packet_of(PacketType::eager_msgrtm);
  packet.flags |= flag::kConnid;
  packet.msg_id = 1;
  packet.connid = world.a.address().connid + 1;
  world.b.receive(kA, encode(packet), world.now);
  EXPECT_EQ(world.b.dropped(Drop::wrong_connid), 1u);
}

TEST(Endpoint, IsTheSameForTheSameSeed) {
  std::vector<OctetBuffer> runs[2];
  for (auto& run : runs) {
    World world(with_rdma(), with_rdma(), {.reorder = true, .doubling = 10}, 7);
    for (unsigned i = 0; i < 10; ++i) {
      world.b.post_receive({.octets = 50'000}, 0s);
      world.a.send(kB, {.data = pattern(i * 5'000), .delivery_complete = i % 2 == 0}, 0s);
    }
    world.run();
    for (const Seen& one : world.seen) run.push_back(one.octets);
  }
  EXPECT_EQ(runs[0], runs[1]);
}

}  // namespace
}  // namespace wirelaw::efa
