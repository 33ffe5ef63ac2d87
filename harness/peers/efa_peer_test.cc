// SPDX-License-Identifier: Apache-2.0
// The two reference peers over the network in memory; and the responder alone, with the test as the other side.
#include "harness/peers/efa_peer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <deque>
#include <set>

#include "conformance/efa/efa.h"
#include "conformance/judge.h"
#include "harness/peers/efa_application_faults.h"
#include "harness/peers/efa_meeting_test.h"
#include "harness/transports/memory/memory_iut.h"
#include "harness/transports/memory/memory_rdma.h"
#include "harness/transports/memory/network.h"
#include "reference/efa/deviations.h"
#include "reference/efa/offered_region.h"
#include "reference/efa/packet.h"

namespace wirelaw::efa {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr NetworkFaults kRough{.duplication = 0.2,
                               .reordering = 0.3,
                               .held_back = milliseconds(1),
                               .delay_min = std::chrono::microseconds(5),
                               .delay_max = std::chrono::microseconds(400)};

TEST(EfaPeers, WalkThroughEverySubprotocolWithRdma) {
  Meeting meeting({.features = kAllFeatures, .rdma = true}, {.features = kAllFeatures, .rdma = true});
  meeting.run({.octets = 64, .count = 3});
  EXPECT_THAT(meeting.requester().state(),
              HasSubstr("3 messages answered, 24 subprotocols exercised, 0 left out, 0 failed"));
  EXPECT_EQ(meeting.requester().failed(), 0u);
  std::set<PacketType> missing;
  for (const Layout& row : all_layouts())
    if (row.is_request() && row.has_format() && !meeting.requested().contains(row.type)) missing.insert(row.type);
  EXPECT_THAT(missing, IsEmpty()) << "types of REQ packets that nobody has sent";
  for (const PacketType type : {PacketType::cts, PacketType::readrsp, PacketType::eor, PacketType::atomrsp,
                                PacketType::handshake, PacketType::receipt, PacketType::ctsdata})
    EXPECT_TRUE(meeting.answered().contains(type)) << describe(type).name;
}

TEST(EfaPeers, LeaveOutWhatNeedsRdmaWhereThereIsNone) {
  Meeting meeting({}, {});
  meeting.run({});
  EXPECT_THAT(meeting.requester().state(), HasSubstr("18 subprotocols exercised, 6 left out, 0 failed"));
  EXPECT_FALSE(meeting.requested().contains(PacketType::longread_msgrtm));
}

TEST(EfaPeers, AnswerLongReadsByAReadNackWhereNothingCanBeRegistered) {
  Meeting meeting({.features = kAllFeatures, .rdma = true},
                  {.features = kAllFeatures, .settings = {"no-registrations"}, .rdma = true});
  meeting.run({});
  EXPECT_TRUE(meeting.answered().contains(PacketType::read_nack));
  EXPECT_TRUE(meeting.requested().contains(PacketType::runtread_tagrtm));
  EXPECT_THAT(meeting.requester().state(), HasSubstr("24 subprotocols exercised, 0 left out, 0 failed"));
}

TEST(EfaPeers, UnderstandEachOtherWhenPacketsOvertakeAndDouble) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Meeting meeting({.features = kAllFeatures, .rdma = true}, {.features = kAllFeatures, .rdma = true}, kRough, seed);
    meeting.run({.octets = 40'000, .count = 8, .parallel = seed % 2 == 0});
    EXPECT_THAT(meeting.requester().state(),
                HasSubstr("8 messages answered, 24 subprotocols exercised, 0 left out, 0 failed"))
        << "seed " << seed;
  }
}

TEST(EfaPeers, SendMessagesOfEverySizeByWhatFitsThem) {
  for (const std::size_t octets : {0u, 1u, 8'800u, 8'929u, 65'536u, 65'537u, 1'048'575u, 1'048'576u}) {
    Meeting meeting({.features = kAllFeatures, .settings = {"messages-only"}, .rdma = true},
                    {.features = kAllFeatures, .rdma = true});
    meeting.run({.octets = octets, .count = 4});
    EXPECT_THAT(meeting.requester().state(),
                HasSubstr("4 messages answered, 0 subprotocols exercised, 0 left out, 0 failed"))
        << octets;
  }
}

TEST(EfaPeers, KeepToTheMtuThatTheyAreTold) {
  const std::vector<std::pair<std::string, std::string>> parameters{{"mtu", "512"}};
  Meeting meeting({.features = kAllFeatures, .parameters = parameters, .rdma = true},
                  {.features = kAllFeatures, .parameters = parameters, .rdma = true});
  meeting.run({.octets = 3000, .count = 2});
  EXPECT_THAT(meeting.requester().state(), HasSubstr("24 subprotocols exercised, 0 left out, 0 failed"));
  EXPECT_EQ(meeting.longest(), 512u);
}

TEST(EfaPeers, FollowTheDocumentThatTheyAreTold) {
  for (const std::string revision : {"2023-10", "2.6", "main"}) {
    const PeerOptions options{.features = kAllFeatures, .rdma = true, .revision = revision};
    Meeting meeting(options, options);
    meeting.run({});
    EXPECT_THAT(meeting.requester().state(), HasSubstr("24 subprotocols exercised, 0 left out, 0 failed"));
    EXPECT_THAT(meeting.findings({Severity::violation, Severity::warning}), IsEmpty()) << revision;
  }
}

TEST(EfaPeers, UseTheRegionThatTheParametersName) {
  const std::vector<std::pair<std::string, std::string>> parameters{
      {"addr", "0xffffff0000000000"}, {"key", "77"}, {"length", "4194304"}};
  Meeting meeting({.parameters = parameters}, {.parameters = parameters});
  meeting.run({});
  EXPECT_THAT(meeting.requester().state(), HasSubstr("18 subprotocols exercised, 6 left out, 0 failed"));

  Meeting wrong_key({.parameters = {{"key", "78"}}}, {.parameters = parameters});
  wrong_key.run({});
  EXPECT_THAT(wrong_key.requester().state(), HasSubstr("1 failed: eager write, short read: nothing has come back"));
}

TEST(EfaPeers, LeaveOutWhatAPeerWithoutARegionCannotDo) {
  Meeting meeting({.parameters = {{"length", "0"}}}, {});
  meeting.run({});
  EXPECT_THAT(meeting.requester().state(), HasSubstr("12 subprotocols exercised, 12 left out, 0 failed"));
}

TEST(EfaPeers, GoOnWhenTheirMessageIdsWrap) {
  const IutParameters nearly{{"msg_id", "4294967290"}};
  Meeting meeting({.parameters = nearly}, {.parameters = nearly}, kRough);
  meeting.run({.count = 20, .parallel = true});
  EXPECT_THAT(meeting.requester().state(),
              HasSubstr("20 messages answered, 18 subprotocols exercised, 6 left out, 0 failed"));
}

TEST(EfaPeers, CountAFaultyAnswerAsAFailure) {
  Meeting meeting({}, {.deviations = {"payload-altered"}});
  meeting.run({.octets = 10, .count = 5});
  EXPECT_EQ(meeting.requester().failed(), 5u);
  EXPECT_THAT(meeting.requester().state(), HasSubstr("an answer has other octets"));
}

TEST(EfaPeers, CountAWriteThatIsNotPlacedAsAFailure) {
  Meeting meeting({}, {.deviations = {"write-not-placed"}});
  meeting.run({});
  EXPECT_EQ(meeting.requester().failed(), 1u);
  EXPECT_THAT(meeting.requester().state(), HasSubstr("eager write, short read: the peer has given other octets"));
}

TEST(EfaPeers, FailWhatIsNotAnsweredInTime) {
  Meeting meeting({}, {.application = Service::none});
  meeting.run({.count = 2});
  EXPECT_EQ(meeting.requester().failed(), 2u);
  EXPECT_THAT(meeting.requester().state(), HasSubstr("nothing has come back"));
  EXPECT_THAT(meeting.responder().state(), HasSubstr("1 messages received, 1 not answered"));
}

// The judge as the oracle. It sees packets at the requester's end. It would not see what the network duplicates on the
// way to the responder, but would see the answers: so nothing is duplicated here.
TEST(EfaPeers, BreakNoRule) {
  NetworkFaults overtaking = kRough;
  overtaking.duplication = 0;
  const PeerOptions plain, with_rdma{.features = kAllFeatures, .rdma = true},
      without_room{.features = kAllFeatures, .settings = {"no-registrations"}, .rdma = true},
      constant{.features = {"constant_header_length"}}, small{.parameters = {{"mtu", "600"}}};
  for (const PeerOptions& requester : {plain, with_rdma, constant, small})
    for (const PeerOptions& responder : {plain, with_rdma, without_room, constant})
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Meeting meeting(requester, responder, seed == 1 ? NetworkFaults{} : overtaking, seed);
        meeting.run({.octets = 40'000, .count = 3, .parallel = seed % 2 == 0});
        EXPECT_EQ(meeting.requester().failed(), 0u) << meeting.requester().state();
        EXPECT_THAT(meeting.findings({Severity::violation}), IsEmpty()) << "seed " << seed;
      }
}

TEST(EfaPeers, BreakTheRuleThatADeviationIsAbout) {
  Meeting meeting({.deviations = {"msg-id-skips"}}, {});
  meeting.run({});
  EXPECT_THAT(meeting.findings({Severity::violation, Severity::warning}),
              testing::Contains(HasSubstr("from the requester: expected every ID once")));
}

TEST(EfaPeers, CanBeTriggeredAgain) {
  Meeting meeting({}, {});
  meeting.run({.count = 2});
  meeting.run({.count = 3, .parallel = true});
  EXPECT_THAT(meeting.requester().state(),
              HasSubstr("5 messages answered, 36 subprotocols exercised, 12 left out, 0 failed"));
}

// ------------------------------------------------------------------------------------------------ the responder alone

// A tester on the network of a responder.
class Tester {
 public:
  explicit Tester(PeerOptions options) : network_(make(options), {}, 1), line_(network_.open()), rdma(network_, line_) {
    network_.peer().located({.endpoint = at("192.0.2.2:21201")});
  }

  void send(const Packet& packet) { network_.send(line_, encode(packet)); }
  // Returns the packets that arrive within a second. Their octets are valid as long as the tester.
  std::vector<Packet> received() {
    std::vector<Packet> packets;
    const Instant until = network_.now() + seconds(1);
    while (true) {
      auto octets = network_.receive(line_, until).value();
      if (!octets) return packets;
      kept_.push_back(std::move(*octets));
      packets.push_back(*decode(kept_.back()));
    }
  }
  std::vector<Packet> received(PacketType type) {
    std::vector<Packet> packets = received();
    std::erase_if(packets, [&](const Packet& one) { return !one.is(type); });
    return packets;
  }
  Instant now() const { return network_.now(); }
  wirelaw::Peer& peer() { return network_.peer(); }

 private:
  Network network_;
  PeerId line_;
  std::deque<OctetBuffer> kept_;

 public:
  MemoryRdma rdma;
};

Packet eager(std::uint32_t msg_id, Octets payload) {
  Packet packet = packet_of(PacketType::eager_msgrtm);
  packet.flags |= flag::kMsg;
  packet.msg_id = msg_id;
  packet.payload = payload;
  return packet;
}

Octets octets_of(std::string_view text) {
  return {reinterpret_cast<const Octet*>(text.data()), text.size()};
}

TEST(EfaResponderPeer, AnswersWithTheSameTagAndCqData) {
  Tester tester({});
  Packet packet = packet_of(PacketType::eager_tagrtm);
  packet.flags |= flag::kMsg | flag::kTagged | flag::kCqData;
  packet.tag = 0xabcdef;
  packet.cq_data = 17;
  packet.payload = octets_of("hello");
  tester.send(packet);
  const auto answers = tester.received(PacketType::eager_tagrtm);
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].tag, 0xabcdefu);
  EXPECT_EQ(answers[0].cq_data, 17u);
  EXPECT_TRUE(std::ranges::equal(answers[0].payload, octets_of("hello")));
}

TEST(EfaResponderPeer, SaysItsUdpAddressInItsRawAddress) {
  Tester tester({});
  tester.send(eager(0, octets_of("hello")));
  const auto answers = tester.received(PacketType::eager_msgrtm);
  ASSERT_EQ(answers.size(), 1u);
  const auto address = decode_raw_address(answers[0].raw_address);
  ASSERT_TRUE(address);
  EXPECT_EQ(address->gid, (std::array<Octet, 16>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 2}));
  EXPECT_EQ(address->qpn, 21'201u);
}

TEST(EfaResponderPeer, CountsRequestsThatAskForIt) {
  Tester tester({.application = Service::count});
  tester.send(eager(0, octets_of("WIRELAW-COUNT")));
  tester.send(eager(1, octets_of("WIRELAW-COUNT")));
  tester.send(eager(2, octets_of("other")));
  const auto answers = tester.received(PacketType::eager_msgrtm);
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_THAT(answers[0].payload, testing::ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(answers[1].payload, testing::ElementsAre(2, 0, 0, 0));
  EXPECT_TRUE(std::ranges::equal(answers[2].payload, octets_of("other")));
}

TEST(EfaResponderPeer, OffersItsRegionToReadsAndRdma) {
  Tester tester({.features = {"rdma_read"}, .rdma = true});
  const RdmaRange range{.addr = kOfferedRegion.addr + 700, .len = 3, .key = kOfferedRegion.key};
  const auto read = tester.rdma.read(range, tester.now() + seconds(1));
  ASSERT_TRUE(read && *read);
  EXPECT_EQ(**read, (OctetBuffer{offered_octet(700), offered_octet(701), offered_octet(702)}));
  const RdmaRange beyond{.addr = kOfferedRegion.len - 1, .len = 2, .key = kOfferedRegion.key};
  const auto refused = tester.rdma.read(beyond, tester.now() + seconds(1));
  ASSERT_TRUE(refused);
  EXPECT_FALSE(*refused);
}

TEST(EfaResponderPeer, TellsOfAWriteWithCqData) {
  Tester tester({});
  const OctetBuffer octets{1, 2, 3};
  OctetBuffer iov;
  encode(RmaIov{kOfferedRegion.addr, octets.size(), kOfferedRegion.key}, iov);
  Packet packet = packet_of(PacketType::eager_rtw);
  packet.flags |= flag::kCqData;
  packet.cq_data = 99;
  packet.rma_iov_count = 1;
  packet.rma_iov = iov;
  packet.payload = octets;
  tester.send(packet);
  const auto answers = tester.received(PacketType::eager_msgrtm);
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].cq_data, 99u);
  EXPECT_THAT(answers[0].payload, IsEmpty());
}

TEST(EfaResponderPeer, ReadsWhatATesterExposes) {
  Tester tester({.features = {"rdma_read"}, .rdma = true});
  OctetBuffer data(5000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<Octet>(i * 3);
  const RdmaRange exposed = tester.rdma.expose(data, RdmaAccess::read).value();
  OctetBuffer iov;
  encode(RmaIov{exposed.addr, exposed.len, exposed.key}, iov);
  Packet packet = packet_of(PacketType::longread_msgrtm);
  packet.flags |= flag::kMsg;
  packet.msg_length = data.size();
  packet.send_id = 5;
  packet.read_iov_count = 1;
  packet.read_iov = iov;
  tester.send(packet);
  const auto packets = tester.received();
  const auto eor = std::ranges::find_if(packets, [](const Packet& one) { return one.is(PacketType::eor); });
  ASSERT_NE(eor, packets.end());
  EXPECT_EQ(eor->send_id, 5u);
  const auto answer = std::ranges::find_if(packets, [](const Packet& one) { return one.is(PacketType::eager_msgrtm); });
  ASSERT_NE(answer, packets.end());
  EXPECT_TRUE(std::ranges::equal(answer->payload, data));
}

TEST(EfaResponderPeer, SaysNoEorForWhatItMayNotRead) {
  Tester tester({.features = {"rdma_read"}, .rdma = true});
  OctetBuffer iov;
  encode(RmaIov{0, 100, 4711}, iov);
  Packet packet = packet_of(PacketType::longread_msgrtm);
  packet.flags |= flag::kMsg;
  packet.msg_length = 100;
  packet.read_iov_count = 1;
  packet.read_iov = iov;
  tester.send(packet);
  EXPECT_THAT(tester.received(PacketType::eor), IsEmpty());
}

TEST(EfaResponderPeer, HoldsOnlySoMuchForPeersThatTakeNoAnswers) {
  Tester tester({});
  // Messages that are too long for an answer in medium packets: it waits for a CTS.
  const OctetBuffer segment(8'000, 0x5a);
  constexpr std::uint32_t kMessages = 1'000;
  constexpr std::uint64_t kLength = 80'000;
  for (std::uint32_t id = 0; id < kMessages; ++id)
    for (std::uint64_t offset = 0; offset < kLength; offset += segment.size()) {
      Packet packet = packet_of(PacketType::medium_msgrtm);
      packet.flags |= flag::kMsg;
      packet.msg_id = id;
      packet.seg_length = kLength;
      packet.seg_offset = offset;
      packet.payload = segment;
      tester.send(packet);
    }
  tester.received();
  EXPECT_THAT(tester.peer().state(), HasSubstr("1000 messages received, 164 not answered"));
}

// --------------------------------------------------------------------------------------------------------- the options

TEST(EfaPeerMaker, KnowsEveryDeviationAndEitherSideCommitsIt) {
  EXPECT_EQ(deviation_names().size(), kDeviationCount + kApplicationFaults);
  for (const DeviationName& one : deviation_names())
    for (const auto role : {kInitiator, kResponder})
      EXPECT_TRUE(peer_maker({.role = role, .deviations = {std::string(one.name)}})) << one.name;
  EXPECT_EQ(peer_maker({.deviations = {"nothing"}}).error(),
            "no deviation is called 'nothing': see wirelaw serve efa --list-deviations");
}

TEST(EfaPeerMaker, SaysWhatAResponderOffers) {
  using Said = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(offers({}), (Said{{"addr", "0x0"}, {"key", "0x57495245"}, {"length", "1048576"}}));
  EXPECT_EQ(offers({.parameters = {{"key", "9"}, {"mtu", "600"}, {"msg_id", "0xfffffff0"}}}),
            (Said{{"addr", "0x0"}, {"key", "0x9"}, {"length", "1048576"}, {"mtu", "600"}, {"msg_id", "4294967280"}}));
  EXPECT_EQ(offers({.role = kInitiator}), Said{});
}

TEST(EfaPeerMaker, SaysWhatIsWrongWithItsOptions) {
  EXPECT_EQ(peer_maker({.features = {"telepathy"}}).error(), "no extra feature is called 'telepathy'");
  EXPECT_EQ(peer_maker({.features = {"peer_error"}, .revision = "2.6"}).error(),
            "the document of 2.6 has no feature 'peer_error'");
  EXPECT_EQ(peer_maker({.revision = "2.5"}).error(), "there is no document of 2.5");
  EXPECT_EQ(peer_maker({.settings = {"fast"}}).error(), "no setting is called 'fast'");
  EXPECT_EQ(peer_maker({.parameters = {{"colour", "1"}}}).error(), "no parameter is called 'colour'");
  EXPECT_EQ(peer_maker({.parameters = {{"mtu", "100"}}}).error(), "'mtu=100': mtu is a number from 512 to 65507");
  for (const std::string text : {"", "0x", "-1", "1 ", "12z", "0x1ffffffffffffffff"})
    EXPECT_FALSE(peer_maker({.parameters = {{"key", text}}})) << text;
}

TEST(EfaPeerMaker, MakesPeersThatTakeAnyOctets) {
  for (const auto role : {kInitiator, kResponder}) {
    const auto peer = make({.role = role});
    for (unsigned first = 0; first < 256; ++first)
      for (const std::size_t length : {0u, 1u, 4u, 40u}) {
        OctetBuffer octets(length, static_cast<Octet>(first));
        peer->receive(1, octets, Instant{first});
        for (Outgoing out; peer->next_datagram(out);) {
        }
      }
    EXPECT_TRUE(peer->idle());
    EXPECT_FALSE(peer->state().empty());
  }
}

}  // namespace
}  // namespace wirelaw::efa
