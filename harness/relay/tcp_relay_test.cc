// SPDX-License-Identifier: Apache-2.0
// A relay between two sockets of the test: how octets and ends pass, and how the recording shows them.
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <map>
#include <optional>
#include <thread>

#include "harness/relay/relay.h"
#include "harness/transports/tcp/tcp_socket.h"
#include "pcap/packet_reader.h"
#include "pcap/temporary_directory.h"

namespace wirelaw {
namespace {

using testing::HasSubstr;

TcpSocket::Deadline patience() {
  return std::chrono::steady_clock::now() + std::chrono::seconds(30);
}

OctetBuffer pattern(std::size_t size) {
  OctetBuffer octets(size);
  for (std::size_t i = 0; i < size; ++i) octets[i] = static_cast<Octet>(i * 7 + i / 251);
  return octets;
}

// Reads all octets until the peer ends its direction.
OctetBuffer read_all(TcpSocket& socket) {
  OctetBuffer all;
  while (true) {
    const auto come = socket.receive(patience());
    if (!come || !*come) return all;
    all.insert(all.end(), (*come)->begin(), (*come)->end());
  }
}

class TcpRelayTest : public testing::Test {
 protected:
  void SetUp() override { start({}); }
  void TearDown() override { stop(); }

  void start(const NetworkPlan& plan, bool has_responder = true) {
    stop();
    if (has_responder) responder_.emplace(TcpAcceptor::bind("127.0.0.1", 0).value());
    const std::uint16_t port = has_responder ? static_cast<std::uint16_t>(responder_->local().port) : free_port();
    auto opened = Relay::open({.listen = {"127.0.0.1", 0}, .to = {"127.0.0.1", port}, .network = plan});
    relay_.emplace(std::move(opened.value()));
    const std::string files[] = {file_};
    recording_.emplace(RelayRecording::create("wirelaw test", files).value());
    recording_->set_late_after(late_after_);
    signal_ = 0;
    thread_ = std::thread([this] { counts_ = relay_->run(*recording_, {.signal = signal_}); });
  }
  // Ends the relay, after which its recording is complete.
  void stop() {
    if (!thread_.joinable()) return;
    signal_ = 1;
    thread_.join();
    EXPECT_TRUE(recording_->commit());
  }
  static std::uint16_t free_port() {
    return static_cast<std::uint16_t>(TcpAcceptor::bind("127.0.0.1", 0).value().local().port);
  }
  TcpSocket connect() {
    return TcpSocket::connect("127.0.0.1", static_cast<std::uint16_t>(relay_->local().port), patience()).value();
  }
  TcpSocket accept() { return std::move(responder_->accept(patience()).value().value()); }

  // What the recording contains for each leg: the octets of each sender, and whether it sent FIN or RST.
  struct Sent {
    OctetBuffer octets;
    bool fin = false, rst = false;
  };
  std::map<std::string, Sent> sent() {
    std::map<std::string, Sent> by_sender;
    auto reader = pcap::PacketReader::open(file_, {}).value();
    pcap::Datagram datagram;
    pcap::Segment segment;
    while (reader.next(datagram, segment) == pcap::Transport::tcp) {
      Sent& one = by_sender[pcap::to_string(segment.source) + " to " + pcap::to_string(segment.destination)];
      one.octets.insert(one.octets.end(), segment.payload.begin(), segment.payload.end());
      one.fin |= segment.flags.fin();
      one.rst |= segment.flags.rst();
    }
    return by_sender;
  }
  std::string from_initiator(const TcpSocket& initiator) const {
    return pcap::to_string(initiator.local()) + " to " + pcap::to_string(relay_->local());
  }
  std::string to_responder(const TcpSocket& accepted) const {
    return pcap::to_string(accepted.remote()) + " to " + pcap::to_string(relay_->remote());
  }

  // Returns how many times the recording states that the relay reads late what this sender sends.
  std::size_t times_late(const pcap::Endpoint& sender) {
    std::size_t times = 0;
    auto reader = pcap::PacketReader::open(file_, {}).value();
    pcap::Datagram datagram;
    pcap::Segment segment;
    while (reader.next(datagram, segment) == pcap::Transport::tcp)
      times += segment.destination == sender && segment.window == 0;
    return times;
  }

  pcap::testing::TemporaryDirectory directory_;
  const std::string file_ = directory_.path("both.pcapng");
  std::optional<TcpAcceptor> responder_;
  std::optional<Relay> relay_;
  std::optional<RelayRecording> recording_;
  std::chrono::nanoseconds late_after_ = std::chrono::hours(1);
  std::atomic<int> signal_{0};
  RelayCounts counts_;
  std::thread thread_;
};

TEST_F(TcpRelayTest, PassesAFinOnAfterAllOctetsAndTheOtherDirectionStaysOpen) {
  const OctetBuffer request = pattern(3'000'000), answer = pattern(2'000'000);
  TcpSocket initiator = connect();
  TcpSocket accepted = accept();
  std::thread sending([&] {
    EXPECT_TRUE(initiator.send(request));
    initiator.end(Ending::closed);
  });
  EXPECT_EQ(read_all(accepted), request);
  sending.join();
  EXPECT_EQ(accepted.ending(), Ending::closed);
  std::thread answering([&] {
    EXPECT_TRUE(accepted.send(answer));
    accepted.end(Ending::closed);
  });
  EXPECT_EQ(read_all(initiator), answer);
  answering.join();
  EXPECT_EQ(initiator.ending(), Ending::closed);
  const std::string near = from_initiator(initiator), far = to_responder(accepted);
  stop();
  auto legs = sent();
  EXPECT_EQ(legs[near].octets, request);
  EXPECT_EQ(legs[far].octets, request);
  for (const auto& [sender, what] : legs) EXPECT_TRUE(what.fin && !what.rst) << sender;
}

TEST_F(TcpRelayTest, PassesAResetOnAfterWhatItHasAccepted) {
  const OctetBuffer request = pattern(50'000);
  TcpSocket initiator = connect();
  TcpSocket accepted = accept();
  ASSERT_TRUE(initiator.send(request));
  OctetBuffer come;
  while (come.size() < request.size()) {  // until the whole request has passed
    const auto some = accepted.receive(patience());
    ASSERT_TRUE(some && *some);
    come.insert(come.end(), (*some)->begin(), (*some)->end());
  }
  const std::string near = from_initiator(initiator), far = to_responder(accepted);
  initiator.end(Ending::reset);
  EXPECT_EQ(read_all(accepted), OctetBuffer());
  EXPECT_EQ(accepted.ending(), Ending::reset);
  stop();
  auto legs = sent();
  EXPECT_TRUE(legs[near].rst);
  EXPECT_TRUE(legs[far].rst);
  EXPECT_EQ(legs[far].octets, request);
}

TEST_F(TcpRelayTest, DeliversWhatASenderHasSentBeforeItsReset) {
  const OctetBuffer answer = pattern(50'000);
  TcpSocket initiator = connect();
  {
    TcpSocket accepted = accept();
    ASSERT_TRUE(accepted.send(answer));
    OctetBuffer come;
    while (come.size() < answer.size()) {
      const auto some = initiator.receive(patience());
      ASSERT_TRUE(some && *some);
      come.insert(come.end(), (*some)->begin(), (*some)->end());
    }
    EXPECT_EQ(come, answer);
    accepted.end(Ending::reset);
  }
  EXPECT_EQ(read_all(initiator), OctetBuffer());
  EXPECT_EQ(initiator.ending(), Ending::reset);
}

TEST_F(TcpRelayTest, ResetsAnInitiatorWhoseResponderDoesNotListen) {
  start({}, false);
  TcpSocket initiator = connect();
  EXPECT_EQ(read_all(initiator), OctetBuffer());
  EXPECT_EQ(initiator.ending(), Ending::reset);
  const std::string near = from_initiator(initiator);
  stop();
  EXPECT_EQ(counts_.connections, 1u);
  EXPECT_EQ(counts_.reached, 0u);
  EXPECT_THAT(counts_.unreachable, HasSubstr("Connection refused"));
  auto legs = sent();
  EXPECT_EQ(legs.size(), 2u) << "one leg, in both directions";
  EXPECT_FALSE(legs[near].rst) << "the relay has reset it";
}

// The responder reads nothing from the first connection, which fills up, and everything from the second.
TEST_F(TcpRelayTest, ASideThatTakesNothingDoesNotHoldUpOthers) {
  TcpSocket stuck = connect();
  TcpSocket idle = accept();
  const OctetBuffer octets = pattern(1 << 20);
  std::size_t accepted_octets = 0;
  for (ssize_t sent = 0; sent >= 0 && accepted_octets < (std::size_t{1} << 30);)
    if ((sent = ::send(stuck.descriptor(), octets.data(), octets.size(), MSG_DONTWAIT | MSG_NOSIGNAL)) > 0)
      accepted_octets += static_cast<std::size_t>(sent);
  EXPECT_LT(accepted_octets, std::size_t{1} << 30);
  TcpSocket initiator = connect();
  TcpSocket accepted = accept();
  std::thread sending([&] {
    EXPECT_TRUE(initiator.send(octets));
    initiator.end(Ending::closed);
  });
  EXPECT_EQ(read_all(accepted), octets);
  sending.join();
}

// The initiator has sent more than the responder takes when the responder sends an octet. The recording has the rest of
// the initiator's octets after that octet, though they were sent before it. The relay's window of zero, recorded before
// it, shows this.
TEST_F(TcpRelayTest, SaysThatItReadsLateIfTheOtherSideTakesNothing) {
  for (const bool is_late : {false, true}) {
    late_after_ = is_late ? std::chrono::nanoseconds(0) : std::chrono::hours(1);
    start({});
    TcpSocket initiator = connect();
    TcpSocket accepted = accept();
    const OctetBuffer request = pattern(24 << 20);  // more than all buffers on the path hold
    std::thread sending([&] {                       // the other thread receives: the socket's object belongs to it
      Octets left = request;
      for (pollfd writable{.fd = initiator.descriptor(), .events = POLLOUT, .revents = 0}; !left.empty();) {
        if (::poll(&writable, 1, 30'000) != 1) break;
        const ssize_t sent = ::send(writable.fd, left.data(), left.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent > 0) left = left.subspan(static_cast<std::size_t>(sent));
      }
      EXPECT_TRUE(left.empty());
      ::shutdown(initiator.descriptor(), SHUT_WR);
    });
    OctetBuffer come;
    const auto some = accepted.receive(patience());  // the transfer has begun
    ASSERT_TRUE(some && *some);
    come.assign((*some)->begin(), (*some)->end());
    ASSERT_TRUE(accepted.send(pattern(1)));
    const auto answer = initiator.receive(patience());
    ASSERT_TRUE(answer && *answer);
    const OctetBuffer rest = read_all(accepted);
    come.insert(come.end(), rest.begin(), rest.end());
    EXPECT_EQ(come, request);
    sending.join();
    accepted.end(Ending::closed);
    EXPECT_EQ(read_all(initiator), OctetBuffer());
    const pcap::Endpoint sender = initiator.local();
    stop();
    EXPECT_EQ(times_late(sender) > 0, is_late);
    EXPECT_EQ(times_late(accepted.remote()), 0u) << "the relay is no side that is judged";
  }
}

TEST_F(TcpRelayTest, CutsIntoPiecesAndKeepsTheOctets) {
  NetworkPlan plan;
  plan.network_faults.cut = 3;
  start(plan);
  const OctetBuffer request = pattern(1000);
  TcpSocket initiator = connect();
  TcpSocket accepted = accept();
  ASSERT_TRUE(initiator.send(request));
  initiator.end(Ending::closed);
  EXPECT_EQ(read_all(accepted), request);
  const std::string far = to_responder(accepted);
  stop();
  auto reader = pcap::PacketReader::open(file_, {}).value();
  pcap::Datagram datagram;
  pcap::Segment segment;
  while (reader.next(datagram, segment) == pcap::Transport::tcp)
    if (segment.source == accepted.remote()) {
      EXPECT_LE(segment.payload.size(), 3u);
    }
  EXPECT_EQ(sent()[far].octets, request);
}

TEST_F(TcpRelayTest, EndsAConnectionAfterTheOctetsThatThePlanNames) {
  for (const bool resets : {false, true}) {
    NetworkPlan plan;
    (resets ? plan.reset_after : plan.close_after) = 1000;
    start(plan);
    const OctetBuffer request = pattern(5000);
    TcpSocket initiator = connect();
    TcpSocket accepted = accept();
    ASSERT_TRUE(initiator.send(request));
    EXPECT_EQ(read_all(accepted), OctetBuffer(request.begin(), request.begin() + 1000));
    EXPECT_EQ(accepted.ending(), resets ? Ending::reset : Ending::closed);
    EXPECT_EQ(read_all(initiator), OctetBuffer());
    EXPECT_EQ(initiator.ending(), resets ? Ending::reset : Ending::closed);
    initiator.end(Ending::closed);
    accepted.end(Ending::closed);
    stop();
    EXPECT_EQ(counts_.cut, 1u);
  }
}

TEST_F(TcpRelayTest, ThatEndsResetsWhatIsOpen) {
  TcpSocket initiator = connect();
  TcpSocket accepted = accept();
  stop();
  for (TcpSocket* const one : {&initiator, &accepted}) {
    EXPECT_EQ(read_all(*one), OctetBuffer());
    EXPECT_EQ(one->ending(), Ending::reset);
  }
  EXPECT_EQ(counts_.cut, 1u);
}

}  // namespace
}  // namespace wirelaw
