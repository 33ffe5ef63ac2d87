// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/udp/udp_socket.h"

#include <gmock/gmock.h>

#include <csignal>

#include "harness/transports/udp/held_ports.h"

namespace wirelaw {
namespace {

using Clock = std::chrono::steady_clock;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// Long enough for any loopback; a test that passes does not wait for it.
Clock::time_point soon() {
  return Clock::now() + std::chrono::seconds{30};
}

TEST(UdpSocket, CarriesDatagramsBothWays) {
  for (const std::string host : {"127.0.0.1", "localhost"}) {
    auto server = UdpSocket::bind("127.0.0.1", 0);
    ASSERT_TRUE(server);
    auto client = UdpSocket::connect(host, static_cast<std::uint16_t>(server->local().port));
    if (host == "localhost" && client && client->remote().address.v6) continue;  // the server is IPv4's
    ASSERT_TRUE(client);
    ASSERT_TRUE(client->send(OctetBuffer{1, 2, 3}));
    const auto request = server->receive(soon());
    ASSERT_TRUE(request && *request);
    EXPECT_THAT((*request)->octets, ElementsAre(1, 2, 3));
    EXPECT_EQ((*request)->from, client->local());
    ASSERT_TRUE(server->send_to((*request)->from, OctetBuffer(60'000, 9)));
    EXPECT_THAT(client->receive(soon()).value().value().octets, SizeIs(60'000));
  }
}

// A late answer to a request from a closed socket's port does not reach another socket.
TEST(UdpSocket, HasAPortThatNoneOfTheLatestHad) {
  auto server = UdpSocket::bind("127.0.0.1", 0);
  ASSERT_TRUE(server);
  const auto port = static_cast<std::uint16_t>(server->local().port);
  const std::uint32_t former = UdpSocket::connect("127.0.0.1", port).value().local().port;
  EXPECT_FALSE(UdpSocket::bind("127.0.0.1", static_cast<std::uint16_t>(former)));
  ASSERT_TRUE(release_held_ports());
  EXPECT_TRUE(UdpSocket::bind("127.0.0.1", static_cast<std::uint16_t>(former)));
}

TEST(UdpSocket, CarriesIpv6) {
  auto server = UdpSocket::bind("::1", 0);
  if (!server) GTEST_SKIP() << "this machine has no IPv6 loopback: " << server.error().message;
  auto client = UdpSocket::connect("::1", static_cast<std::uint16_t>(server->local().port));
  ASSERT_TRUE(client);
  ASSERT_TRUE(client->send(OctetBuffer{7}));
  const auto request = server->receive(soon());
  ASSERT_TRUE(request && *request);
  EXPECT_THAT(pcap::to_string((*request)->from), HasSubstr("[::1]:"));
}

TEST(UdpSocket, GivesNothingWhereTheDeadlineHasPassed) {
  auto socket = UdpSocket::bind("127.0.0.1", 0);
  ASSERT_TRUE(socket);
  EXPECT_FALSE(socket->receive(Clock::now()).value());
  EXPECT_FALSE(socket->receive(Clock::now() + std::chrono::milliseconds{1}).value());
}

TEST(UdpSocket, TakesWhatIsThereWithoutWaiting) {
  auto server = UdpSocket::bind("127.0.0.1", 0);
  auto client = UdpSocket::connect("127.0.0.1", static_cast<std::uint16_t>(server->local().port));
  ASSERT_TRUE(client->send(OctetBuffer{1}));
  ASSERT_TRUE(client->send(OctetBuffer{2}));
  ASSERT_TRUE(server->receive(soon()).value());
  EXPECT_TRUE(server->receive(Clock::now()).value());
  EXPECT_FALSE(server->receive(Clock::now()).value());
}

TEST(UdpSocket, SaysThatNobodyListens) {
  std::uint16_t port = 0;
  {
    auto gone = UdpSocket::bind("127.0.0.1", 0);
    ASSERT_TRUE(gone);
    port = static_cast<std::uint16_t>(gone->local().port);
  }
  auto client = UdpSocket::connect("127.0.0.1", port);
  ASSERT_TRUE(client);
  ASSERT_TRUE(client->send(OctetBuffer{1}));
  const auto answer = client->receive(soon());
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "nobody listens at 127.0.0.1:" + std::to_string(port));
  EXPECT_EQ(answer.error().hint, "start it, or check the address");
}

TEST(UdpSocket, SaysThatAPortIsTaken) {
  auto one = UdpSocket::bind("127.0.0.1", 0);
  ASSERT_TRUE(one);
  const auto two = UdpSocket::bind("127.0.0.1", static_cast<std::uint16_t>(one->local().port));
  ASSERT_FALSE(two);
  EXPECT_THAT(two.error().message, HasSubstr("cannot listen at 127.0.0.1:"));
}

TEST(UdpSocket, ASignalEndsTheWait) {
  auto socket = UdpSocket::bind("127.0.0.1", 0);
  ASSERT_TRUE(socket);
  socket->stop_on_signals();
  ASSERT_EQ(std::raise(SIGTERM), 0);
  EXPECT_FALSE(socket->receive(soon()).value());
  EXPECT_TRUE(socket->stopped());
}

}  // namespace
}  // namespace wirelaw
