// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/transparent_relay.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "conformance/protocol.h"
#include "conformance/script/languages.h"
#include "harness/relay/relay.h"
#include "harness/script/script_file.h"
#include "harness/transports/udp/udp_socket.h"
#include "pcap/reader.h"
#include "pcap/synthesis.h"
#include "pcap/tcp_synthesis.h"
#include "pcap/temporary_directory.h"

namespace wirelaw {
namespace {

using testing::ElementsAre;

constexpr std::uint16_t kIpv4 = 0x0800, kArp = 0x0806;
constexpr std::uint16_t kPort = 7000;  // the responder listens here

OctetBuffer frame(Octet mark, std::uint16_t type = kIpv4) {
  OctetBuffer octets(60, mark);
  octets[12] = static_cast<Octet>(type >> 8);
  octets[13] = static_cast<Octet>(type);
  return octets;
}

// A cable whose ends are in the test.
class TestCable final : public Cable {
 public:
  void start(Arrived arrived) override { arrives = std::move(arrived); }
  asio::error_code send(bool to_initiator, Octets octets) override {
    if (is_broken) return asio::error::no_buffer_space;
    delivered[to_initiator].emplace_back(octets.begin(), octets.end());
    return {};
  }
  std::uint64_t dropped() const override { return drops; }

  Arrived arrives;
  bool is_broken = false;
  std::uint64_t drops = 0;
  std::vector<OctetBuffer> delivered[2];  // [1]: to the initiator
};

struct RecordedFrame {
  LegInterface interface;
  Octet mark;
  friend bool operator==(const RecordedFrame&, const RecordedFrame&) = default;
};

class TransparentRelayTest : public testing::Test {
 protected:
  // `network`: as after --network.
  void start(std::string_view network = {}) {
    const std::string files[] = {file_};
    recording_.emplace(
        RelayRecording::create("wirelaw legs=interfaces", files, RelayRecording::Legs::on_interfaces).value());
    plan_ = parse_network_plan(network, Carried::packets).value();
    relay_.emplace(cable_, TransparentRelayContext{.context = context_,
                                                   .recording = *recording_,
                                                   .counts = counts_,
                                                   .plan = plan_,
                                                   .port = kPort,
                                                   .faults = faults_});
    relay_->start();
  }
  void run_until_idle() {
    context_.restart();
    context_.run();
  }
  std::vector<RecordedFrame> recorded() {
    EXPECT_TRUE(recording_->commit());
    return recorded_in(file_);
  }
  static std::vector<RecordedFrame> recorded_in(const std::string& file) {
    std::vector<RecordedFrame> frames;
    auto reader = pcap::Reader::open(file);
    for (pcap::Frame one; reader && reader->next(one);)
      frames.push_back({static_cast<LegInterface>(one.interface), one.octets[0]});
    return frames;
  }

  pcap::testing::TemporaryDirectory directory_;
  const std::string file_ = directory_.path("both.pcapng");
  asio::io_context context_;
  TestCable cable_;
  RelayCounts counts_;
  NetworkPlan plan_;
  HostileFaults faults_;
  std::optional<RelayRecording> recording_;
  std::optional<TransparentRelay> relay_;
};

TEST_F(TransparentRelayTest, ForwardsEachFrameAsItIsAndRecordsItOnBothLegs) {
  start();
  cable_.arrives(true, frame(1));
  cable_.arrives(false, frame(2));
  EXPECT_THAT(cable_.delivered[false], ElementsAre(frame(1)));
  EXPECT_THAT(cable_.delivered[true], ElementsAre(frame(2)));
  EXPECT_THAT(
      recorded(),
      ElementsAre(RecordedFrame{LegInterface::from_initiator, 1}, RecordedFrame{LegInterface::to_responder, 1},
                  RecordedFrame{LegInterface::from_responder, 2}, RecordedFrame{LegInterface::to_initiator, 2}));
}

// A frame of the system alone shows no program that serves.
TEST_F(TransparentRelayTest, KnowsAResponderThatServesNothing) {
  const pcap::Endpoint initiator = *pcap::parse_endpoint("192.0.2.1:5000"),
                       responder = *pcap::parse_endpoint(fmt::format("192.0.2.2:{}", kPort)),
                       other = *pcap::parse_endpoint("192.0.2.2:9");
  const auto arrives = [&](bool from_initiator, const auto& make) {
    OctetBuffer octets;
    EXPECT_TRUE(make(octets));
    cable_.arrives(from_initiator, octets);
  };
  const OctetBuffer text{1};
  const auto datagram = [&](const pcap::Endpoint& from, const pcap::Endpoint& to) {
    return [&](OctetBuffer& octets) { return pcap::synthesise_datagram(from, to, text, octets); };
  };
  const auto segment = [&](pcap::TcpHeader header, Octets payload) {
    return [=](OctetBuffer& octets) { return pcap::synthesise_segment(responder, initiator, header, payload, octets); };
  };
  pcap::TcpSynthesis tcp(0);
  start();
  cable_.arrives(false, frame(2, kArp));
  arrives(false, datagram(other, initiator));
  arrives(true, datagram(initiator, other));
  EXPECT_FALSE(counts_.is_responder_lost());  // nobody has asked it for anything
  arrives(true, datagram(initiator, responder));
  EXPECT_TRUE(counts_.is_responder_lost());
  arrives(false, segment(tcp.syn(false), {}));
  EXPECT_TRUE(counts_.is_responder_lost());
  EXPECT_EQ(counts_.unreachable, "");
  arrives(false, segment(tcp.rst(false), {}));
  EXPECT_THAT(counts_.unreachable, testing::StartsWith("192.0.2.2:7000: "));
  EXPECT_TRUE(counts_.is_responder_lost());
  arrives(false, segment(tcp.data(false, 1), text));
  EXPECT_FALSE(counts_.is_responder_lost());
  start();
  counts_ = {.connections = 1};
  OctetBuffer fragment;
  ASSERT_TRUE(pcap::synthesise_datagram(responder, initiator, OctetBuffer(1400, 1), fragment));
  constexpr std::size_t kFlags = 14 + 6, kEnd = 14 + 20 + 8 + 800;  // more fragments follow the first 808 octets
  fragment[kFlags] |= 0x20;
  fragment[14 + 2] = static_cast<Octet>((kEnd - 14) >> 8);
  fragment[14 + 3] = static_cast<Octet>(kEnd - 14);
  fragment.resize(kEnd);
  cable_.arrives(false, fragment);
  EXPECT_FALSE(counts_.is_responder_lost());
  counts_ = {.connections = 1};
  arrives(false, datagram(responder, initiator));
  EXPECT_FALSE(counts_.is_responder_lost());
}

TEST_F(TransparentRelayTest, LosesAndDoublesPacketsButNotArp) {
  start("loss=1");
  cable_.arrives(true, frame(1));
  cable_.arrives(true, frame(2, kArp));
  EXPECT_THAT(cable_.delivered[false], ElementsAre(frame(2, kArp)));
  EXPECT_THAT(recorded(), ElementsAre(RecordedFrame{LegInterface::from_initiator, 1},
                                      RecordedFrame{LegInterface::from_initiator, 2},
                                      RecordedFrame{LegInterface::to_responder, 2}));
  EXPECT_EQ(counts_.deeds(), "lost 1 packet");
  counts_ = {};
  start("duplication=1");
  cable_.arrives(false, frame(3));
  EXPECT_THAT(cable_.delivered[true], ElementsAre(frame(3), frame(3)));
}

TEST_F(TransparentRelayTest, DelayedFramesArriveInOrderUnlessTheyAreHeldBack) {
  start("delay=0-3");
  for (Octet mark = 1; mark <= 20; ++mark) cable_.arrives(true, frame(mark));
  run_until_idle();
  std::vector<Octet> marks;
  for (const OctetBuffer& one : cable_.delivered[false]) marks.push_back(one[0]);
  ASSERT_EQ(marks.size(), 20U);
  EXPECT_TRUE(std::ranges::is_sorted(marks));
  cable_.delivered[false].clear();
  start("reordering=0.3");
  for (Octet mark = 1; mark <= 20; ++mark) cable_.arrives(true, frame(mark));
  run_until_idle();
  marks.clear();
  for (const OctetBuffer& one : cable_.delivered[false]) marks.push_back(one[0]);
  ASSERT_EQ(marks.size(), 20U);
  EXPECT_FALSE(std::ranges::is_sorted(marks));
}

TEST_F(TransparentRelayTest, CountsFramesThatTheSystemRefused) {
  start();
  cable_.is_broken = true;
  for (int i = 0; i < 20'000; ++i) cable_.arrives(true, frame(1));
  cable_.is_broken = false;
  cable_.arrives(true, frame(2));
  std::vector<RecordedFrame> delivered = recorded();
  std::erase_if(delivered,
                [](const RecordedFrame& one) { return is_from_peer(static_cast<std::uint32_t>(one.interface)); });
  EXPECT_THAT(delivered, ElementsAre(RecordedFrame{LegInterface::to_responder, 2}));
  std::ostringstream text;
  text << std::ifstream(file_, std::ios::binary).rdbuf();
  EXPECT_THAT(text.str(), testing::HasSubstr("the relay could not deliver 20000 frames before this one: "));
}

TEST_F(TransparentRelayTest, SaysWhatTheSystemDropped) {
  start();
  cable_.arrives(true, frame(1));
  for (const std::uint64_t drops : {2U, 2U, 5U}) {
    cable_.drops = drops;
    relay_->count_dropped();
  }
  recorded();
  auto reader = pcap::Reader::open(file_);
  ASSERT_TRUE(reader);
  for (pcap::Frame one; reader->next(one);) continue;
  EXPECT_EQ(reader->statistics()->dropped, 5U);
}

// The leg of the sender has what it sent, the leg of the receiver what reached it.
TEST_F(TransparentRelayTest, RecordsAnEditedMessageOnTheLegOfItsReceiver) {
  const Protocol& ramcloud = *find_protocol("ramcloud");
  faults_ = {.triggers = faults_of("on a any: rpc_id^=1", "x.faults", ramcloud).value(),
             .language = script::language_of(ramcloud)};
  OctetBuffer message(26, 0), sent;
  ASSERT_TRUE(pcap::synthesise_datagram(*pcap::parse_endpoint("192.0.2.1:5000"),
                                        *pcap::parse_endpoint(fmt::format("192.0.2.2:{}", kPort)), message, sent));
  start();
  cable_.arrives(true, sent);
  ASSERT_EQ(cable_.delivered[false].size(), 1u);
  const OctetBuffer& delivered = cable_.delivered[false][0];
  EXPECT_NE(delivered, sent);
  ASSERT_TRUE(recording_->commit());
  auto reader = pcap::Reader::open(file_);
  std::vector<OctetBuffer> frames;
  for (pcap::Frame one; reader && reader->next(one);) frames.emplace_back(one.octets.begin(), one.octets.end());
  EXPECT_THAT(frames, ElementsAre(sent, delivered));
  std::ostringstream text;
  text << std::ifstream(file_, std::ios::binary).rdbuf();
  EXPECT_THAT(text.str(), testing::HasSubstr("the relay plays line 1 of the faults: rpc_id^="));
}

TEST_F(TransparentRelayTest, LetsAMessagePassThatDoesNotBecomeWhole) {
  const Protocol& rdmap = *find_protocol("rdmap");
  faults_ = {.triggers = faults_of("on a any: res^=1", "x.faults", rdmap).value(),
             .language = script::language_of(rdmap)};
  const pcap::Endpoint initiator = *pcap::parse_endpoint("192.0.2.1:5000"),
                       responder = *pcap::parse_endpoint(fmt::format("192.0.2.2:{}", kPort));
  start();
  pcap::TcpSynthesis tcp(0);
  OctetBuffer syn, data;
  ASSERT_TRUE(pcap::synthesise_segment(initiator, responder, tcp.syn(true), {}, syn));
  cable_.arrives(true, syn);
  const OctetBuffer part{'M', 'P', 'A', ' '};  // the beginning of a start frame
  ASSERT_TRUE(pcap::synthesise_segment(initiator, responder, tcp.data(true, part.size()), part, data));
  cable_.arrives(true, data);
  EXPECT_THAT(cable_.delivered[false], ElementsAre(syn));
  EXPECT_FALSE(relay_->is_idle(TransparentRelay::Clock::time_point::max()));
  run_until_idle();
  EXPECT_THAT(cable_.delivered[false], ElementsAre(syn, data));
  EXPECT_TRUE(relay_->is_idle(TransparentRelay::Clock::time_point::max()));
}

// The network cards of two virtual machines, which send each frame in a datagram.
TEST_F(TransparentRelayTest, ForwardsBetweenTwoGuests) {
  UdpSocket initiator = UdpSocket::bind("127.0.0.1", 0).value(), responder = UdpSocket::bind("127.0.0.1", 0).value();
  const RelayOptions options{.listen = {"127.0.0.1", 0},
                             .to = {"127.0.0.1", static_cast<std::uint16_t>(responder.local().port)},
                             .is_transparent = true};
  auto relay = Relay::open(options);
  ASSERT_TRUE(relay);
  const std::string files[] = {file_};
  auto recording =
      RelayRecording::create("wirelaw legs=interfaces", files, RelayRecording::Legs::on_interfaces).value();
  std::atomic<int> signal{0};
  std::thread thread([&] { relay->run(recording, {.signal = signal}); });
  const auto end = [&](void*) {
    signal = 1;
    if (thread.joinable()) thread.join();
  };
  std::unique_ptr<void, decltype(end)> ended(this, end);  // also if an assertion fails
  const auto receive = [](UdpSocket& socket) {
    return socket.receive(std::chrono::steady_clock::now() + std::chrono::seconds(30)).value();
  };
  // Where the initiator is, is known from its first frame.
  ASSERT_TRUE(responder.send_to(relay->local(), frame(1, kArp)));
  ASSERT_TRUE(initiator.send_to(relay->local(), frame(2)));
  const auto first = receive(responder);
  ASSERT_TRUE(responder.send_to(relay->local(), frame(3)));
  const auto answer = receive(initiator);
  ended.reset();
  EXPECT_EQ(first->octets, frame(2));
  EXPECT_EQ(answer->octets, frame(3));
  ASSERT_TRUE(recording.commit());
  EXPECT_THAT(recorded_in(file_),
              testing::IsSupersetOf(
                  {RecordedFrame{LegInterface::from_initiator, 2}, RecordedFrame{LegInterface::to_responder, 2},
                   RecordedFrame{LegInterface::from_responder, 3}, RecordedFrame{LegInterface::to_initiator, 3}}));
}

}  // namespace
}  // namespace wirelaw
