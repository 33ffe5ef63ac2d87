// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/tcp/tcp_service.h"

#include <gmock/gmock.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "harness/peers/dialling_peer.h"
#include "harness/transports/tcp/tcp_socket.h"
#include "harness/transports/udp/udp_socket.h"

namespace wirelaw {
namespace {

using Clock = std::chrono::steady_clock;
using fake_stream::stream_of;
using fake_stream::StreamPeer;
using testing::HasSubstr;

// Long enough for any loopback; a test that passes does not wait for it.
Clock::time_point soon() {
  return Clock::now() + std::chrono::seconds{30};
}

OctetBuffer read(TcpSocket& socket, std::size_t octets) {
  OctetBuffer got;
  while (got.size() < octets) {
    const auto more = socket.receive(soon());
    if (!more || !*more) break;
    got.insert(got.end(), (*more)->begin(), (*more)->end());
  }
  return got;
}

// A service in a separate thread. It runs until a client makes the peer done.
struct Served {
  explicit Served(ServeOptions options = {}) : service(TcpService::listen("127.0.0.1", 0).value()) {
    options.until_done = true;
    peer.keeps_busy = true;
    thread = std::thread([this, options] {
      EXPECT_TRUE(service.run(peer, options));
      has_run = true;
    });
  }
  ~Served() { end(); }
  // When it returns, the service has done all its work. A connection that was ended before it had requested the end, as
  // an idle one may be, has not been heard: the next one asks again.
  void end() {
    while (!has_run) {
      auto last = TcpSocket::connect("127.0.0.1", static_cast<std::uint16_t>(service.local().port), soon());
      if (!last || !last->send(stream_of({"Q"}))) continue;
      while (!has_run && last->ending() == Ending::none)
        static_cast<void>(last->receive(Clock::now() + std::chrono::milliseconds{5}));
    }
    if (thread.joinable()) thread.join();
  }
  TcpSocket connect() {
    return TcpSocket::connect("127.0.0.1", static_cast<std::uint16_t>(service.local().port), soon()).value();
  }

  StreamPeer peer;
  TcpService service;
  std::atomic<bool> has_run = false;
  std::thread thread;
};

TEST(TcpService, ServesManyConnectionsAtOnce) {
  Served served;
  std::vector<TcpSocket> clients;
  for (int i = 0; i < 100; ++i) clients.push_back(served.connect());
  for (TcpSocket& one : clients) ASSERT_TRUE(one.send(stream_of({"one", "two"})));
  for (TcpSocket& one : clients) EXPECT_EQ(read(one, 12), stream_of({"one", "two"}));
}

TEST(TcpService, EndsAsThePeerSays) {
  Served served;
  TcpSocket closed = served.connect();
  ASSERT_TRUE(closed.send(stream_of({"C"})));
  EXPECT_EQ(read(closed, 1000), stream_of({"C"}));
  EXPECT_EQ(closed.ending(), Ending::closed);
  TcpSocket reset = served.connect();
  ASSERT_TRUE(reset.send(stream_of({"R"})));
  read(reset, 1000);
  EXPECT_EQ(reset.ending(), Ending::reset);
}

// A side that has closed, and whose wait for the other side times out, resets the connection.
TEST(TcpService, ResetsWhatItHasClosed) {
  Served served({.connections = 1});
  TcpSocket client = served.connect();
  ASSERT_TRUE(client.send(stream_of({"A"})));
  TcpSocket next = served.connect();  // served when the other is gone, even without an end
  ASSERT_TRUE(next.send(stream_of({"one"})));
  EXPECT_EQ(read(next, 8), stream_of({"one"}));
}

TEST(TcpService, TellsThePeerHowOthersEnd) {
  Served served;
  TcpSocket client = served.connect();
  ASSERT_TRUE(client.send(stream_of({"one"})));
  client.end(Ending::closed);
  EXPECT_EQ(read(client, 1000), stream_of({"one"}));
  EXPECT_EQ(client.ending(), Ending::closed);  // the peer answers an end with its own
}

// A closed side is not read any more, so its reset is noticed only when more is sent to it.
TEST(TcpService, LetsGoOfOneThatClosesAndThenIsGone) {
  Served served({.connections = 1});
  {
    TcpSocket client = served.connect();
    ASSERT_TRUE(client.send(stream_of(std::vector<std::string>(20'000, std::string(255, 'x')))));
    client.end(Ending::closed);
  }
  TcpSocket next = served.connect();  // served when the other is gone
  ASSERT_TRUE(next.send(stream_of({"one"})));
  EXPECT_EQ(read(next, 8), stream_of({"one"}));
}

TEST(TcpService, WhatDoesNotReadDoesNotGrowItAndHoldsItsOwnInput) {
  Served served;
  TcpSocket client = served.connect();
  // Its echo is far longer than the send buffer, so the service stops reading until the client reads.
  const OctetBuffer much = [] {
    OctetBuffer octets = stream_of({});
    const OctetBuffer one = stream_of({std::string(255, 'x')}, false);
    while (octets.size() < (24u << 20)) octets.insert(octets.end(), one.begin(), one.end());
    return octets;
  }();
  std::thread sender([&] { EXPECT_TRUE(client.send(much)); });
  sender.join();  // the socket keeps octets that arrive meanwhile
  EXPECT_EQ(read(client, much.size()), much);
  EXPECT_LT(served.service.most_unsent(), 8u << 20);
}

TEST(TcpService, HasNoMoreConnectionsThanItMay) {
  Served served({.connections = 2});
  std::vector<TcpSocket> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(served.connect());
    ASSERT_TRUE(clients.back().send(stream_of({"C"})));
    clients.back().end(Ending::closed);
  }
  for (TcpSocket& one : clients) EXPECT_EQ(read(one, 1000), stream_of({"C"}));  // each in its turn
  EXPECT_LE(served.service.most_connections(), 2u);
}

TEST(TcpService, AnInitiatorConnectsAndEndsWhenItIsDone) {
  Served served;
  auto service = TcpService::connect("127.0.0.1", static_cast<std::uint16_t>(served.service.local().port)).value();
  const auto client = fake_stream::client();
  client->trigger(0, {.octets = 100, .count = 50}, {});
  ASSERT_TRUE(service.run(*client, {.until_done = true}));
  EXPECT_TRUE(client->idle());
  EXPECT_EQ(client->received, stream_of(std::vector<std::string>(50, std::string(100, 'm'))).size());
}

TEST(TcpService, SaysThatNobodyListens) {
  std::uint16_t port = 0;
  {
    const auto gone = TcpAcceptor::bind("127.0.0.1", 0);
    port = static_cast<std::uint16_t>(gone->local().port);
  }
  const auto service = TcpService::connect("127.0.0.1", port);
  ASSERT_FALSE(service);
  EXPECT_THAT(service.error().message, HasSubstr("nobody listens at 127.0.0.1:"));
}

TEST(TcpService, EndsByItselfWhenIdle) {
  auto service = TcpService::listen("127.0.0.1", 0).value();
  StreamPeer peer;
  EXPECT_TRUE(service.run(peer, {.idle = std::chrono::milliseconds{1}}));
}

TEST(TcpService, ASignalEndsIt) {
  auto service = TcpService::listen("127.0.0.1", 0).value();
  service.stop_on_signals();
  ASSERT_EQ(std::raise(SIGTERM), 0);
  StreamPeer peer;
  EXPECT_TRUE(service.run(peer, {}));
}

// ------------------------------------------------------------------------------------------------ dials and datagrams

using fake_stream::datagram_of;
using fake_stream::DiallingPeer;

// Same, with a peer that dials, from its own address.
struct Dialling {
  Dialling() : thread([this] { EXPECT_TRUE(service.run(peer, {.until_done = true})); }) {}
  ~Dialling() {
    static_cast<void>(client.send(stream_of({"Q"}, /*with_key=*/false)));
    thread.join();
  }
  void ask(const std::string& message) { ASSERT_TRUE(client.send(stream_of({message}))); }

  DiallingPeer peer;
  TcpService service = TcpService::listen("127.0.0.7", 0, /*datagrams=*/true).value();
  TcpSocket client = TcpSocket::connect("127.0.0.7", static_cast<std::uint16_t>(service.local().port), soon()).value();
  std::thread thread;
};

TEST(DiallingService, ServesUdpAtThePortOfTcp) {
  Dialling served;
  ASSERT_TRUE(served.service.has_datagrams());
  auto beside = UdpSocket::connect("127.0.0.7", static_cast<std::uint16_t>(served.service.local().port)).value();
  served.ask("one");
  EXPECT_EQ(read(served.client, stream_of({"one"}).size()), stream_of({"one"}));
  ASSERT_TRUE(beside.send(datagram_of("two")));
  EXPECT_EQ(beside.receive(soon()).value().value().octets, datagram_of("two"));
}

TEST(DiallingService, ConnectsFromItsOwnAddress) {
  Dialling served;
  auto acceptor = TcpAcceptor::bind("127.0.0.1", 0).value();
  served.ask("D" + pcap::to_string(acceptor.local()));
  auto made = acceptor.accept(soon()).value();
  ASSERT_TRUE(made);
  EXPECT_EQ(read(*made, stream_of({"hi"}).size()), stream_of({"hi"}));
  EXPECT_EQ(pcap::to_string(made->remote().address), "127.0.0.7");
}

TEST(DiallingService, SendsDatagramsFromItsOwnPort) {
  Dialling served;
  auto socket = UdpSocket::bind("127.0.0.1", 0).value();
  served.ask("U" + pcap::to_string(socket.local()));
  const auto got = socket.receive(soon()).value();
  ASSERT_TRUE(got);
  EXPECT_EQ(got->octets, datagram_of("hi"));
  EXPECT_EQ(got->from, served.service.local());
}

TEST(DiallingService, ReportsWhereNobodyListens) {
  Dialling served;
  const auto port = TcpAcceptor::bind("127.0.0.1", 0).value().local().port;
  served.ask("D127.0.0.1:" + std::to_string(port));
  OctetBuffer answer = stream_of({});
  answer.insert(answer.end(), {2, 'n', 'o'});
  EXPECT_EQ(read(served.client, answer.size()), answer);
}

TEST(DiallingService, OnLoopbackDialsNobodyBeyondIt) {
  for (const char* const place : {"D192.0.2.1:2110", "U192.0.2.1:2110", "D[2001:db8::1]:2110"}) {
    Dialling served;
    served.ask(place);
    OctetBuffer answer = stream_of({});
    answer.insert(answer.end(), {2, 'n', 'o'});
    EXPECT_EQ(read(served.client, answer.size()), answer) << place;
  }
}

// An octet now and then does not keep a connection open: a message that never becomes complete holds no place.
TEST(TcpService, EndsWhoMovesTooLittle) {
  std::atomic<int> reported = 0;
  const auto log = [&](const std::string& line) { reported += line.find("connections were ended") != line.npos; };
  Served served({.connection_idle = std::chrono::milliseconds{50}, .log = log});
  TcpSocket silent = served.connect();
  TcpSocket slow = served.connect();
  EXPECT_TRUE(slow.send(OctetBuffer{9}));  // a message of nine octets, whose octets do not follow
  EXPECT_TRUE(read(silent, 1).empty());
  EXPECT_NE(silent.ending(), Ending::none);
  while (slow.ending() == Ending::none) {
    static_cast<void>(slow.send(OctetBuffer{0}));
    static_cast<void>(slow.receive(Clock::now() + std::chrono::milliseconds{5}));
  }
  EXPECT_EQ(slow.ending(), Ending::reset);
  served.end();  // a client may have seen the end before the line about it is written
  EXPECT_GT(reported, 0);
}

TEST(TcpService, WhoIsIdleMakesRoomForANewcomer) {
  Served served({.connections = 8, .room_after = std::chrono::nanoseconds{0}});
  std::vector<TcpSocket> idle;
  for (int i = 0; i < 8; ++i) idle.push_back(served.connect());
  for (int i = 0; i < 3; ++i) {
    TcpSocket honest = served.connect();
    ASSERT_TRUE(honest.send(stream_of({"one", "two"})));
    EXPECT_EQ(read(honest, 12), stream_of({"one", "two"}));
    idle.push_back(std::move(honest));
  }
  EXPECT_LE(served.service.most_connections(), 8u);
}

}  // namespace
}  // namespace wirelaw
