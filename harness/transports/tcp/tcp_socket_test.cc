// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/tcp/tcp_socket.h"

#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <thread>

namespace wirelaw {
namespace {

using Clock = std::chrono::steady_clock;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Long enough for any loopback; a test that passes does not wait for it.
Clock::time_point soon() {
  return Clock::now() + std::chrono::seconds{30};
}

struct Pair {
  TcpSocket client;
  TcpSocket server;
};
Pair connected(const std::string& host = "127.0.0.1") {
  auto acceptor = TcpAcceptor::bind("127.0.0.1", 0).value();
  auto client = TcpSocket::connect(host, static_cast<std::uint16_t>(acceptor.local().port), soon()).value();
  return {std::move(client), std::move(acceptor.accept(soon()).value().value())};
}

// Everything until the other side ends.
OctetBuffer all(TcpSocket& socket) {
  OctetBuffer octets;
  while (true) {
    const auto got = socket.receive(soon());
    if (!got || !*got) return octets;
    octets.insert(octets.end(), (*got)->begin(), (*got)->end());
  }
}

TEST(TcpSocket, CarriesOctetsBothWays) {
  for (const std::string host : {"127.0.0.1", "localhost"}) {  // a name's other addresses are tried too
    Pair pair = connected(host);
    EXPECT_EQ(pair.client.local(), pair.server.remote());
    EXPECT_EQ(pair.client.remote(), pair.server.local());
    ASSERT_TRUE(pair.client.send(OctetBuffer{1, 2, 3}));
    EXPECT_THAT(pair.server.receive(soon()).value().value(), ElementsAre(1, 2, 3));
    ASSERT_TRUE(pair.server.send(OctetBuffer{4}));
    EXPECT_THAT(pair.client.receive(soon()).value().value(), ElementsAre(4));
  }
}

TEST(TcpSocket, GivesNothingWhereTheDeadlineHasPassed) {
  Pair pair = connected();
  EXPECT_FALSE(pair.client.receive(Clock::now()).value());
  EXPECT_FALSE(pair.client.receive(Clock::now() + std::chrono::milliseconds{1}).value());
  EXPECT_EQ(pair.client.ending(), Ending::none);
}

TEST(TcpSocket, AnOrderlyEndComesBehindTheOctetsAndLeavesTheOtherDirectionOpen) {
  Pair pair = connected();
  ASSERT_TRUE(pair.client.send(OctetBuffer{1}));
  pair.client.end(Ending::closed);
  EXPECT_THAT(all(pair.server), ElementsAre(1));
  EXPECT_EQ(pair.server.ending(), Ending::closed);
  EXPECT_FALSE(pair.server.receive(soon()).value());  // at once
  ASSERT_TRUE(pair.server.send(OctetBuffer{2}));
  EXPECT_THAT(pair.client.receive(soon()).value().value(), ElementsAre(2));
  EXPECT_TRUE(pair.client.send(OctetBuffer{3}));  // goes nowhere
}

TEST(TcpSocket, AResetIsToldFromAnOrderlyEnd) {
  Pair pair = connected();
  pair.client.end(Ending::reset);
  EXPECT_EQ(pair.client.ending(), Ending::reset);
  EXPECT_FALSE(pair.client.receive(soon()).value());
  EXPECT_FALSE(pair.server.receive(soon()).value());
  EXPECT_EQ(pair.server.ending(), Ending::reset);
}

// The reset may come before connect() has seen that the connection exists. In any case it is a connection that the peer
// has reset, and not one that cannot be made.
TEST(TcpSocket, AResetRightAfterTheConnectionIsNoFailureToConnect) {
  constexpr int kRounds = 3000;
  auto acceptor = TcpAcceptor::bind("127.0.0.1", 0).value();
  std::atomic<bool> is_over = false;
  std::thread resetting([&] {
    while (!is_over) {
      auto accepted = acceptor.accept(Clock::now() + std::chrono::milliseconds{10});
      if (accepted && *accepted) (*accepted)->end(Ending::reset);
    }
  });
  for (int i = 0; i < kRounds; ++i) {
    auto client = TcpSocket::connect("127.0.0.1", static_cast<std::uint16_t>(acceptor.local().port), soon());
    EXPECT_TRUE(client) << client.error().message;
    if (!client) break;
    EXPECT_EQ(client->remote(), acceptor.local());
    EXPECT_EQ(client->local().address, acceptor.local().address);
    EXPECT_NE(client->local().port, 0u);
    EXPECT_FALSE(client->receive(soon()).value());
    EXPECT_EQ(client->ending(), Ending::reset) << "round " << i;
  }
  is_over = true;
  resetting.join();
}

TEST(TcpSocket, SendingToOneThatHasResetIsNoErrorAndStillAReset) {
  Pair pair = connected();
  ASSERT_TRUE(pair.client.send(OctetBuffer{7}));
  ASSERT_TRUE(pair.server.receive(soon()).value());
  pair.client.end(Ending::reset);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(pair.server.send(OctetBuffer{1}));
  EXPECT_FALSE(pair.server.receive(soon()).value());
  EXPECT_EQ(pair.server.ending(), Ending::reset);
}

TEST(TcpSocket, TwoThatSendMoreThanTheNetworkHoldsDoNotBlockEachOther) {
  Pair pair = connected();
  const OctetBuffer much(32u << 20, 0x5a);
  std::thread other([&] {
    EXPECT_TRUE(pair.server.send(much));
    pair.server.end(Ending::closed);
    EXPECT_THAT(all(pair.server), SizeIs(much.size()));
  });
  EXPECT_TRUE(pair.client.send(much));
  pair.client.end(Ending::closed);
  EXPECT_THAT(all(pair.client), SizeIs(much.size()));
  other.join();
}

TEST(TcpSocket, SaysThatNobodyListens) {
  std::uint16_t port = 0;
  {
    const auto gone = TcpAcceptor::bind("127.0.0.1", 0);
    ASSERT_TRUE(gone);
    port = static_cast<std::uint16_t>(gone->local().port);
  }
  const auto client = TcpSocket::connect("127.0.0.1", port, soon());
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().message, "nobody listens at 127.0.0.1:" + std::to_string(port));
  EXPECT_EQ(client.error().hint, "start it, or check the address");
}

TEST(TcpSocket, SaysThatNobodyAnswersInTime) {
  const auto acceptor = TcpAcceptor::bind("127.0.0.1", 0);
  const auto client = TcpSocket::connect("127.0.0.1", static_cast<std::uint16_t>(acceptor->local().port),
                                         Clock::now() - std::chrono::seconds{1});
  ASSERT_FALSE(client);
  EXPECT_THAT(client.error().message, HasSubstr("does not answer"));
}

TEST(TcpAcceptor, SaysThatAPortIsTaken) {
  const auto one = TcpAcceptor::bind("127.0.0.1", 0);
  ASSERT_TRUE(one);
  const auto two = TcpAcceptor::bind("127.0.0.1", static_cast<std::uint16_t>(one->local().port));
  ASSERT_FALSE(two);
  EXPECT_THAT(two.error().message, HasSubstr("cannot listen at 127.0.0.1:"));
}

TEST(TcpAcceptor, GivesNothingWhereNobodyComes) {
  auto acceptor = TcpAcceptor::bind("127.0.0.1", 0).value();
  EXPECT_FALSE(acceptor.accept(Clock::now()).value());
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

TEST(TcpSocket, CostsOneFileDescriptor) {
  auto acceptor = TcpAcceptor::bind("127.0.0.1", 0).value();
  const auto port = static_cast<std::uint16_t>(acceptor.local().port);
  std::vector<TcpSocket> sockets;
  sockets.push_back(TcpSocket::connect("127.0.0.1", port, soon()).value());
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 20; ++i) sockets.push_back(TcpSocket::connect("127.0.0.1", port, soon()).value());
  EXPECT_EQ(open_descriptors(), before + 20);
}

// A case keeps its connections until it ends, and there may be hundreds of them.
TEST(TcpSocket, CostsNoneOnceBothSidesHaveEnded) {
  Pair first = connected(), second = connected();
  first.client.end(Ending::closed);
  EXPECT_THAT(all(first.server), IsEmpty());
  EXPECT_GE(first.server.descriptor(), 0) << "it may still send";
  first.server.end(Ending::closed);
  EXPECT_LT(first.server.descriptor(), 0);
  EXPECT_THAT(all(first.client), IsEmpty());
  EXPECT_LT(first.client.descriptor(), 0);
  EXPECT_EQ(first.client.ending(), Ending::closed);
  EXPECT_TRUE(second.client.send(OctetBuffer{1})) << "another is as it was";
}

}  // namespace
}  // namespace wirelaw
