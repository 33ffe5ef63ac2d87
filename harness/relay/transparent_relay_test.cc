// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/transparent_relay.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "harness/relay/relay.h"
#include "harness/transports/udp/udp_socket.h"
#include "pcap/reader.h"
#include "pcap/temporary_directory.h"

namespace wirelaw {
namespace {

using testing::ElementsAre;

constexpr std::uint16_t kIpv4 = 0x0800, kArp = 0x0806;

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
    relay_.emplace(context_, cable_, *recording_, counts_, parse_network_plan(network, Carried::packets).value(), 1);
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
  EXPECT_FALSE(counts_.is_responder_lost());
}

TEST_F(TransparentRelayTest, KnowsAResponderThatSendsNothingButArp) {
  start();
  cable_.arrives(true, frame(1));
  cable_.arrives(false, frame(2, kArp));
  EXPECT_TRUE(counts_.is_responder_lost());
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

TEST_F(TransparentRelayTest, DoesNotRecordAFrameAsDeliveredThatTheSystemRefused) {
  start();
  cable_.is_broken = true;
  cable_.arrives(true, frame(1));
  EXPECT_THAT(recorded(), ElementsAre(RecordedFrame{LegInterface::from_initiator, 1}));
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
  const auto receive = [](UdpSocket& socket) {
    return socket.receive(std::chrono::steady_clock::now() + std::chrono::seconds(30)).value();
  };
  // Where the initiator is, is known from its first frame.
  ASSERT_TRUE(responder.send_to(relay->local(), frame(1, kArp)));
  ASSERT_TRUE(initiator.send_to(relay->local(), frame(2)));
  const auto first = receive(responder);
  ASSERT_TRUE(responder.send_to(relay->local(), frame(3)));
  const auto answer = receive(initiator);
  signal = 1;
  thread.join();
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
