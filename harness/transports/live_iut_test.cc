// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/live_iut.h"

#include <gmock/gmock.h>
#include <sched.h>

#include "conformance/introduction.h"
#include "harness/transports/tcp/tcp_socket.h"
#include "harness/transports/trigger_process.h"
#include "harness/transports/udp/udp_conversation.h"

namespace wirelaw {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Case kCase{.id = "some/case", .iut = Role::responder, .rules = {}, .purpose = "", .run = [](CaseRun&) {}};

// Long enough for any loopback; a test that passes does not wait for it.
OctetBuffer next(Conversation& conversation) {
  auto got = conversation.receive(conversation.now() + seconds{30});
  return got && *got ? **got : OctetBuffer{};
}

TEST(ListeningIut, IsReachedFromAFreshPortEachTime) {
  auto server = UdpSocket::bind("127.0.0.1", 0);
  ASSERT_TRUE(server);
  const auto iut =
      make_listening_iut({.scheme = "udp", .place = host_and_port("127.0.0.1", server->local().port)}).value();
  const auto environment = iut->begin(kCase).value();
  const auto one = environment->connect().value().wire;
  const auto two = environment->connect().value().wire;
  EXPECT_NE(one->tester(), two->tester());
  EXPECT_EQ(one->iut(), pcap::to_string(server->local()));
  EXPECT_EQ(iut->name(), "udp://" + one->iut());
  ASSERT_TRUE(two->send(OctetBuffer{5}));
  const auto request = server->receive(LiveClock::Steady::now() + seconds{30});
  ASSERT_TRUE(request && *request);
  EXPECT_EQ(pcap::to_string((*request)->from), two->tester());
  ASSERT_TRUE(server->send_to((*request)->from, OctetBuffer{6}));
  EXPECT_THAT(next(*two), ElementsAre(6));
}

// 64 random bits: two that are the same would be a fault.
TEST(ListeningIut, GivesEachCaseANumberOfItsOwn) {
  const auto iut = make_listening_iut({.scheme = "udp", .place = "127.0.0.1:7000"}).value();
  EXPECT_NE(iut->begin(kCase).value()->nonce(), iut->begin(kCase).value()->nonce());
}

TEST(ConnectingIut, GivesEachCaseANumberOfItsOwn) {
  const auto iut = make_connecting_iut(parse_listen_uri("udp://", "udp").value(), "").value();
  EXPECT_NE(iut->begin(kCase).value()->nonce(), iut->begin(kCase).value()->nonce());
}

TEST(ConnectingIut, GivesEachPeerAConversationOfItsOwn) {
  const auto iut = make_connecting_iut(parse_listen_uri("udp://", "udp").value(), "").value();
  const auto environment = iut->begin(kCase).value();
  const auto first = environment->connect().value().wire;
  const auto second = environment->connect().value().wire;
  EXPECT_EQ(first->iut(), "");
  EXPECT_FALSE(first->send(OctetBuffer{1}));

  const SocketPlace at = socket_place(parse_peer_uri("udp://" + iut->address(), "udp").value());
  auto a = UdpSocket::connect(at.host, at.port);
  auto b = UdpSocket::connect(at.host, at.port);
  ASSERT_TRUE(a->send(OctetBuffer{1}));
  ASSERT_TRUE(b->send(OctetBuffer{2}));
  ASSERT_TRUE(a->send(OctetBuffer{3}));
  EXPECT_THAT(next(*first), ElementsAre(1));
  EXPECT_THAT(next(*second), ElementsAre(2));
  EXPECT_THAT(next(*first), ElementsAre(3));
  EXPECT_EQ(second->iut(), pcap::to_string(b->local()));
  ASSERT_TRUE(second->send(OctetBuffer{4}));
  EXPECT_THAT(b->receive(LiveClock::Steady::now() + seconds{30}).value().value().octets, ElementsAre(4));
}

TEST(ConnectingIut, ANewCaseReceivesNothingOfTheOldOne) {
  const auto iut = make_connecting_iut(parse_listen_uri("udp://", "udp").value(), "").value();
  const SocketPlace at = socket_place(parse_peer_uri("udp://" + iut->address(), "udp").value());
  auto late = UdpSocket::connect(at.host, at.port);
  ASSERT_TRUE(late->send(OctetBuffer{1}));
  const auto environment = iut->begin(kCase).value();
  ASSERT_TRUE(late->send(OctetBuffer{2}));
  EXPECT_THAT(next(*environment->connect().value().wire), ElementsAre(2));
}

TEST(ConnectingIut, SaysThatTheTriggerCannotBeRun) {
  const auto iut = make_connecting_iut(parse_listen_uri("udp://", "udp").value(), "exit 127").value();
  // A trigger that has not ended yet when its case ends causes no error. One of the next cases will find its end.
  for (int cases = 0; cases < 10'000; ++cases) {
    const auto environment = iut->begin(kCase);
    if (!environment) break;
    ASSERT_TRUE((*environment)->trigger({}));
    static_cast<void>(
        (*environment)->connect().value().wire->receive((*environment)->now() + std::chrono::milliseconds{1}));
  }
  const auto again = iut->begin(kCase);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().message, "'exit 127' ended with status 127");
}

TEST(ListeningIut, OverTcpIsAConnectionEachTime) {
  auto server = TcpAcceptor::bind("127.0.0.1", 0).value();
  const auto iut =
      make_listening_iut({.scheme = "tcp", .place = host_and_port("localhost", server.local().port)}).value();
  const auto environment = iut->begin(kCase).value();
  const auto one = environment->connect().value().wire;
  const auto two = environment->connect().value().wire;
  EXPECT_NE(one->tester(), two->tester());
  EXPECT_EQ(one->iut(), pcap::to_string(server.local()));
  EXPECT_EQ(iut->framing().transport, "tcp");
  EXPECT_EQ(iut->name(), "tcp://localhost:" + std::to_string(server.local().port));
  EXPECT_EQ(iut->capture_note(), "iut=" + one->iut());
  ASSERT_TRUE(two->send(OctetBuffer{5}));
  std::vector<TcpSocket> accepted;
  while (accepted.empty() || pcap::to_string(accepted.back().remote()) != two->tester())
    accepted.push_back(std::move(**server.accept(LiveClock::Steady::now() + seconds{30})));
  EXPECT_THAT(accepted.back().receive(LiveClock::Steady::now() + seconds{30}).value().value(), ElementsAre(5));
  ASSERT_TRUE(accepted.back().send(OctetBuffer{6}));
  accepted.back().end(Ending::closed);
  EXPECT_THAT(next(*two), ElementsAre(6));
  EXPECT_THAT(next(*two), IsEmpty());
  EXPECT_EQ(two->ending(), Ending::closed);
}

TEST(ListeningIut, OverTcpSaysThatNobodyListens) {
  std::uint16_t port = 0;
  {
    const auto gone = TcpAcceptor::bind("127.0.0.1", 0);
    port = static_cast<std::uint16_t>(gone->local().port);
  }
  const auto iut = make_listening_iut({.scheme = "tcp", .place = host_and_port("127.0.0.1", port)}).value();
  const auto connected = iut->begin(kCase).value()->connect();
  ASSERT_FALSE(connected);
  EXPECT_THAT(connected.error().message, HasSubstr("nobody listens at"));
}

TEST(ConnectingIut, OverTcpGivesEachConnectionAConversationOfItsOwn) {
  const auto iut = make_connecting_iut(parse_listen_uri("tcp://", "tcp").value(), "").value();
  const SocketPlace at = socket_place(parse_peer_uri("tcp://" + iut->address(), "tcp").value());
  const auto soon = LiveClock::Steady::now() + seconds{30};
  auto late = TcpSocket::connect(at.host, at.port, soon).value();  // not for the case, which begins later
  const auto environment = iut->begin(kCase).value();
  const auto first = environment->connect().value().wire;
  const auto second = environment->connect().value().wire;
  EXPECT_EQ(first->iut(), "");
  EXPECT_FALSE(first->send(OctetBuffer{1}));
  first->end(Ending::closed);  // there is nothing to end
  EXPECT_EQ(first->ending(), Ending::none);

  auto a = TcpSocket::connect(at.host, at.port, soon).value();
  auto b = TcpSocket::connect(at.host, at.port, soon).value();
  ASSERT_TRUE(a.send(OctetBuffer{1}));
  ASSERT_TRUE(b.send(OctetBuffer{2}));
  EXPECT_THAT(next(*first), ElementsAre(1));
  EXPECT_THAT(next(*second), ElementsAre(2));
  EXPECT_EQ(second->iut(), pcap::to_string(b.local()));
  ASSERT_TRUE(second->send(OctetBuffer{4}));
  EXPECT_THAT(b.receive(soon).value().value(), ElementsAre(4));
  second->end(Ending::reset);
  EXPECT_FALSE(b.receive(soon).value());
  EXPECT_EQ(b.ending(), Ending::reset);
}

TEST(ConnectingIut, GivesItsTriggerWhatTheCaseHasIntroduced) {
  // The shell proves it: it dies of the signal that it was given.
  const auto iut = make_connecting_iut(parse_listen_uri("udp://", "udp").value(), "kill -$WIRELAW_CONNID $$").value();
  const auto environment = iut->begin(kCase).value();
  const auto connected = environment->connect().value();
  Introductions* const introductions = connected.offers.find(kIntroductions);
  ASSERT_NE(introductions, nullptr);
  introductions->insert_or_assign("CONNID", "1");
  introductions->insert_or_assign("CONNID", "6");
  ASSERT_TRUE(environment->trigger({}));
  std::optional<Death> death;
  while (!(death = environment->death(false))) ::sched_yield();
  EXPECT_EQ(death->how, "killed by signal 6 (Aborted)");
}

TEST(TriggerProcess, HasItsRequestInItsEnvironment) {
  // The shell is enough to prove it: it ends with the number that it was given.
  auto process = TriggerProcess::start("exit $WIRELAW_REQUESTS", {{"WIRELAW_REQUESTS", "7"}});
  ASSERT_TRUE(process);
  ASSERT_TRUE(process->wait(-1));
  EXPECT_EQ(process->end(), 7);
}

TEST(TriggerProcess, EndsItsWholeGroup) {
  auto process = TriggerProcess::start("sleep 1000 & sleep 1000 & wait", {});
  ASSERT_TRUE(process);
  EXPECT_EQ(process->end(), std::nullopt);
  EXPECT_EQ(process->end(), std::nullopt);
}

// ------------------------------------------------------------------------------------------------------------- routes

TEST(ListeningIut, MeetsEachNodeAtAnAddressOfItsOwn) {
  auto server = UdpSocket::bind("127.0.0.3", 0).value();
  const auto iut = make_listening_iut({.scheme = "udp", .place = pcap::to_string(server.local())}).value();
  const auto environment = iut->begin(kCase).value();
  std::string nodes;
  for (unsigned node = 1; node <= 3; ++node)
    nodes +=
        pcap::to_string(pcap::parse_endpoint(environment->connect({.node = node}).value().wire->tester())->address) +
        " ";
  EXPECT_EQ(nodes, "127.0.0.2 127.0.0.4 127.0.0.5 ");  // 127.0.0.3 is the IUT's
}

TEST(ListeningIut, ThatIsElsewhereMeetsOneNodeAlone) {
  const auto iut = make_listening_iut({.scheme = "tcp", .place = "192.0.2.1:2110"}).value();
  const auto environment = iut->begin(kCase).value();
  const auto refused = environment->connect({.node = 1});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().no_way);
  EXPECT_THAT(refused.error().message, HasSubstr("no second address"));
  EXPECT_TRUE(environment->accept({.node = 1}).error().no_way);
}

TEST(ListeningIut, OverIwarpHasNoDatagramsBeside) {
  const auto iut = make_listening_iut({.scheme = "iwarp", .place = "127.0.0.1"}).value();
  const auto refused = iut->begin(kCase).value()->connect({.datagrams = true});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().no_way);
}

TEST(ConnectingIut, MayComeToOtherPlacesThanTheFirst) {
  const auto iut = make_connecting_iut(parse_listen_uri("tcp://", "tcp").value(), "").value();
  const auto environment = iut->begin(kCase).value();
  const Connected beside = environment->connect({.datagrams = true}).value();
  EXPECT_TRUE(beside.datagrams);
  EXPECT_EQ(beside.wire->tester(), iut->address());
  const auto other = environment->accept({.node = 1}).value().wire;
  const pcap::Endpoint first = pcap::parse_endpoint(iut->address()).value();
  EXPECT_EQ(other->tester(), "127.0.0.2:" + std::to_string(first.port));

  const SocketPlace at = socket_place(parse_peer_uri("udp://" + iut->address(), "udp").value());
  auto datagrams = UdpSocket::connect(at.host, at.port).value();
  ASSERT_TRUE(datagrams.send(OctetBuffer{1}));
  EXPECT_THAT(next(*beside.wire), ElementsAre(1));
  auto stream = TcpSocket::connect("127.0.0.2", at.port, LiveClock::Steady::now() + seconds{30}).value();
  ASSERT_TRUE(stream.send(OctetBuffer{2}));
  EXPECT_THAT(next(*other), ElementsAre(2));
  EXPECT_EQ(environment->connect().value().wire->tester(), iut->address());
}

}  // namespace
}  // namespace wirelaw
