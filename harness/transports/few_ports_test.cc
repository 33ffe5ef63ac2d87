// SPDX-License-Identifier: Apache-2.0
// On a machine without a free port, errors name the machine, and not the peer.
#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "harness/capture/own_network.h"
#include "harness/transports/local_resource_error.h"
#include "harness/transports/nodes.h"
#include "harness/transports/tcp/tcp_socket.h"
#include "harness/transports/udp/udp_socket.h"

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
    number_nodes(0);
    if (last_ != 0) set(first_, last_);
  }

 private:
  static constexpr const char* kRange = "/proc/sys/net/ipv4/ip_local_port_range";

 protected:
  static bool set(unsigned first, unsigned last) {
    std::ofstream range(kRange);
    range << first << ' ' << last << std::endl;
    return range.good();
  }

 private:
  unsigned first_ = 0, last_ = 0;
};

template <class Result>
void expect_local_resource_error(const Result& second) {
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, StartsWith("no local port is free to reach 127.0.0.1:7000 from"));
  EXPECT_TRUE(is_local_resource_error(second.error()));
}

constexpr std::uint16_t kPeer = 7000;

TEST_F(FewPorts, ASecondConnectionHasNone) {
  const auto acceptor = TcpAcceptor::bind("127.0.0.1", kPeer);
  ASSERT_TRUE(acceptor);
  const auto connect = [] { return TcpSocket::connect("127.0.0.1", kPeer, Clock::now() + std::chrono::seconds{10}); };
  const auto first = connect();
  ASSERT_TRUE(first);
  expect_local_resource_error(connect());
}

// A socket that is bound to a local address.
TEST_F(FewPorts, ASecondConnectionFromAnAddressHasNone) {
  const auto acceptor = TcpAcceptor::bind("127.0.0.1", kPeer);
  ASSERT_TRUE(acceptor);
  const auto connect = [] {
    return TcpSocket::connect("127.0.0.1", kPeer, Clock::now() + std::chrono::seconds{10},
                              pcap::parse_address("127.0.0.9"));
  };
  const auto first = connect();
  ASSERT_TRUE(first);
  expect_local_resource_error(connect());
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
  expect_local_resource_error(UdpSocket::connect("127.0.0.1", kPeer));
}

// The port of a closed socket is held for a while, unless it is needed.
TEST_F(FewPorts, APortThatIsHeldIsGivenBack) {
  const auto peer = UdpSocket::bind("127.0.0.1", kPeer);
  ASSERT_TRUE(UdpSocket::connect("127.0.0.1", kPeer));
  EXPECT_TRUE(UdpSocket::connect("127.0.0.1", kPeer));
}

// More than are held: the system would choose a port again by chance.
TEST_F(FewPorts, NoConversationGetsThePlaceOfAnEarlierOne) {
  constexpr unsigned kPorts = 60;
  ASSERT_TRUE(set(40000, 40000 + kPorts - 1));
  const auto peer = UdpSocket::bind("127.0.0.1", kPeer);
  ASSERT_TRUE(peer);
  std::set<std::uint32_t> ports;
  for (unsigned i = 0; i < kPorts; ++i) {
    const auto one = UdpSocket::connect_afresh("127.0.0.1", kPeer);
    ASSERT_TRUE(one);
    EXPECT_TRUE(ports.insert(one->local().port).second);
  }
  EXPECT_TRUE(UdpSocket::connect_afresh("127.0.0.1", kPeer)) << "there is none that is fresh; any has to do";
}

// Each local address has its own ports towards the same peer.
TEST_F(FewPorts, ConversationsOfAnotherAddressHaveTheirOwn) {
  ASSERT_TRUE(set(40000, 40001));
  const auto peer = UdpSocket::bind("127.0.0.1", kPeer);
  ASSERT_TRUE(peer);
  std::set<std::string> places;
  for (const char* const from : {"127.1.0.1", "127.1.0.1", "127.2.0.1", "127.2.0.1"}) {
    const auto one = UdpSocket::connect_afresh("127.0.0.1", kPeer, pcap::parse_address(from));
    ASSERT_TRUE(one);
    places.insert(pcap::to_string(one->local()));
  }
  EXPECT_EQ(places.size(), 4u);
}

TEST_F(FewPorts, NodesStayWhereTheyAreAsLongAsThereArePorts) {
  ASSERT_TRUE(set(32768, 60999));
  move_nodes_if_worn();
  note_conversation();
  move_nodes_if_worn();
  EXPECT_FALSE(address_of_first_node(*pcap::parse_address("127.0.0.1"))) << "it is the system's choice";
}

TEST_F(FewPorts, NodesMoveToAddressesThatTheRunHasNotUsed) {
  const pcap::Address iut = *pcap::parse_address("127.0.0.1");
  std::set<std::string> addresses;
  for (unsigned one = 0; one < 8; ++one) {
    move_nodes_if_worn();
    note_conversation();
    const auto first = address_of_first_node(iut);
    ASSERT_TRUE(first && is_loopback(*first));
    EXPECT_TRUE(addresses.insert(pcap::to_string(*first)).second);
    EXPECT_NE(address_of_node(1, iut).value(), *first);
  }
}

}  // namespace
}  // namespace wirelaw
