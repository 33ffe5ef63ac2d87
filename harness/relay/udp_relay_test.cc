// SPDX-License-Identifier: Apache-2.0
// A UDP relay between sockets of the test.
#include <gmock/gmock.h>

#include <atomic>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

#include "harness/relay/relay.h"
#include "harness/transports/udp/udp_socket.h"
#include "pcap/temporary_directory.h"

namespace wirelaw {
namespace {

using testing::HasSubstr;

class UdpRelayTest : public testing::Test {
 protected:
  void TearDown() override { stop(); }

  void start(const NetworkPlan& plan, std::size_t flows = 100) {
    stop();
    RelayOptions options{.listen = {"127.0.0.1", 0},
                         .to = {"127.0.0.1", static_cast<std::uint16_t>(responder_.local().port)},
                         .datagrams = true,
                         .connections = flows,
                         .network = plan};
    relay_.emplace(std::move(Relay::open(options).value()));
    const std::string files[] = {file_};
    recording_.emplace(RelayRecording::create("wirelaw test", files).value());
    signal_ = 0;
    thread_ = std::thread([this] { counts_ = relay_->run(*recording_, {.signal = signal_}); });
  }
  void stop() {
    if (!thread_.joinable()) return;
    signal_ = 1;
    thread_.join();
    EXPECT_TRUE(recording_->commit());
  }
  UdpSocket connect() {
    return UdpSocket::connect("127.0.0.1", static_cast<std::uint16_t>(relay_->local().port)).value();
  }
  static std::optional<UdpDatagram> receive(UdpSocket& socket) {
    return socket.receive(std::chrono::steady_clock::now() + std::chrono::seconds(30)).value();
  }
  std::string recorded() const {
    std::ostringstream text;
    text << std::ifstream(file_, std::ios::binary).rdbuf();
    return text.str();
  }

  pcap::testing::TemporaryDirectory directory_;
  const std::string file_ = directory_.path("both.pcapng");
  UdpSocket responder_ = UdpSocket::bind("127.0.0.1", 0).value();
  std::optional<Relay> relay_;
  std::optional<RelayRecording> recording_;
  std::atomic<int> signal_{0};
  RelayCounts counts_;
  std::thread thread_;
};

TEST_F(UdpRelayTest, GivesEachInitiatorAnAddressOfItsOwnAndItsAnswers) {
  start({});
  UdpSocket one = connect(), other = connect();
  ASSERT_TRUE(one.send(OctetBuffer{1}));
  const auto first = receive(responder_);
  ASSERT_TRUE(other.send(OctetBuffer{2}));
  const auto second = receive(responder_);
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->from, second->from);
  ASSERT_TRUE(responder_.send_to(second->from, OctetBuffer{4}));
  ASSERT_TRUE(responder_.send_to(first->from, OctetBuffer{3}));
  EXPECT_EQ(receive(one)->octets, OctetBuffer{3});
  EXPECT_EQ(receive(other)->octets, OctetBuffer{4});
  stop();
  EXPECT_EQ(counts_.connections, 2u);
  EXPECT_EQ(counts_.reached, 2u);
}

TEST_F(UdpRelayTest, DropsADatagramForWhichItHasNoRoomAndSaysSo) {
  start({}, 1);
  UdpSocket one = connect(), other = connect();
  ASSERT_TRUE(one.send(OctetBuffer{1}));
  ASSERT_TRUE(receive(responder_));
  ASSERT_TRUE(other.send(OctetBuffer{2}));
  ASSERT_TRUE(one.send(OctetBuffer{3}));
  EXPECT_EQ(receive(responder_)->octets, OctetBuffer{3});
  stop();
  EXPECT_EQ(counts_.connections, 1u);
  EXPECT_THAT(recorded(), HasSubstr("the relay dropped it: 1 flows are open"));
}

TEST_F(UdpRelayTest, SendsADatagramTwiceAndSaysSo) {
  NetworkPlan plan;
  plan.network_faults.duplication = 1;
  start(plan);
  UdpSocket one = connect();
  ASSERT_TRUE(one.send(OctetBuffer{1}));
  EXPECT_EQ(receive(responder_)->octets, OctetBuffer{1});
  EXPECT_EQ(receive(responder_)->octets, OctetBuffer{1});
  stop();
  EXPECT_THAT(recorded(), HasSubstr("the relay sends it twice"));
}

TEST_F(UdpRelayTest, RecordsALostDatagramWhereItArrived) {
  NetworkPlan plan;
  plan.network_faults.loss = 0.5;
  start(plan);
  UdpSocket one = connect();
  for (Octet i = 0; i < 100; ++i) ASSERT_TRUE(one.send(OctetBuffer{i}));
  Octet expected = 0;
  for (auto come = receive(responder_);; come = receive(responder_), ++expected) {
    ASSERT_TRUE(come);
    if (come->octets != OctetBuffer{expected}) break;  // an earlier one is missing
  }
  stop();
  EXPECT_THAT(recorded(), HasSubstr("the relay loses it"));
}

}  // namespace
}  // namespace wirelaw
