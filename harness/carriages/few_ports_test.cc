// SPDX-License-Identifier: Apache-2.0
// What a machine without a free port says of itself, and not of the peer.
#include <gmock/gmock.h>

#include <fstream>

#include "harness/capture/own_network.h"
#include "harness/carriages/own_lack.h"
#include "harness/carriages/tcp/tcp_socket.h"
#include "harness/carriages/udp/udp_socket.h"

namespace wirelaw {
namespace {

using ::testing::StartsWith;
using Clock = std::chrono::steady_clock;

// Leaves the system one port to choose.
class FewPorts : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = enter_own_network(); !why.empty()) GTEST_SKIP() << why;
    std::ifstream(kRange) >> first_ >> last_;
    if (!set(40000, 40000)) GTEST_SKIP() << kRange << " cannot be written";
  }
  void TearDown() override {
    if (last_ != 0) set(first_, last_);
  }

 private:
  static constexpr const char* kRange = "/proc/sys/net/ipv4/ip_local_port_range";
  static bool set(unsigned first, unsigned last) {
    std::ofstream range(kRange);
    range << first << ' ' << last << std::endl;
    return range.good();
  }

  unsigned first_ = 0, last_ = 0;
};

template <class Result>
void expect_own_lack(const Result& second) {
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, StartsWith("no local port is free to reach 127.0.0.1:7000 from"));
  EXPECT_TRUE(is_own_lack(second.error()));
}

constexpr std::uint16_t kPeer = 7000;

TEST_F(FewPorts, ASecondConnectionHasNone) {
  const auto acceptor = TcpAcceptor::bind("127.0.0.1", kPeer);
  ASSERT_TRUE(acceptor);
  const auto connect = [] { return TcpSocket::connect("127.0.0.1", kPeer, Clock::now() + std::chrono::seconds{10}); };
  const auto first = connect();
  ASSERT_TRUE(first);
  expect_own_lack(connect());
}

// One that is bound to an address of ours.
TEST_F(FewPorts, ASecondConnectionFromAnAddressHasNone) {
  const auto acceptor = TcpAcceptor::bind("127.0.0.1", kPeer);
  ASSERT_TRUE(acceptor);
  const auto connect = [] {
    return TcpSocket::connect("127.0.0.1", kPeer, Clock::now() + std::chrono::seconds{10},
                              pcap::parse_address("127.0.0.9"));
  };
  const auto first = connect();
  ASSERT_TRUE(first);
  expect_own_lack(connect());
}

TEST(TcpSocket, SaysThatAnAddressToComeFromIsNotOurs) {
  const auto acceptor = TcpAcceptor::bind("127.0.0.1", 0);
  const auto none = TcpSocket::connect("127.0.0.1", static_cast<std::uint16_t>(acceptor->local().port),
                                       Clock::now() + std::chrono::seconds{10}, pcap::parse_address("192.0.2.77"));
  ASSERT_FALSE(none);
  EXPECT_TRUE(none.error().no_way);
  EXPECT_EQ(none.error().message, "this machine does not have the address 192.0.2.77");
}

TEST_F(FewPorts, ASecondSocketOfUdpHasNone) {
  const auto peer = UdpSocket::bind("127.0.0.1", kPeer);
  ASSERT_TRUE(peer);
  const auto first = UdpSocket::connect("127.0.0.1", kPeer);
  ASSERT_TRUE(first);
  expect_own_lack(UdpSocket::connect("127.0.0.1", kPeer));
}

// The port of a socket that is gone is held for a while, unless it is wanted.
TEST_F(FewPorts, APortThatIsHeldIsGivenBack) {
  const auto peer = UdpSocket::bind("127.0.0.1", kPeer);
  ASSERT_TRUE(UdpSocket::connect("127.0.0.1", kPeer));
  EXPECT_TRUE(UdpSocket::connect("127.0.0.1", kPeer));
}

}  // namespace
}  // namespace wirelaw
