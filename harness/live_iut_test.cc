// SPDX-License-Identifier: Apache-2.0
#include "harness/live_iut.h"

#include <gmock/gmock.h>

#include "harness/trigger_process.h"
#include "harness/udp_conversation.h"

namespace wirelaw {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

const Case kCase{.id = "some/case", .iut = Role::responder, .rules = {}, .purpose = "", .run = [](CaseRun&) {}};

// Long enough for any loopback; a test that passes does not wait for it.
OctetBuffer next(Conversation& conversation) {
  auto got = conversation.receive(conversation.now() + seconds{30});
  return got && *got ? **got : OctetBuffer{};
}

TEST(ListeningIut, IsReachedFromAFreshPortEachTime) {
  auto server = UdpSocket::bind("127.0.0.1", 0);
  ASSERT_TRUE(server);
  const auto iut = make_listening_iut({.scheme = "udp", .host = "127.0.0.1", .port = server->local().port}).value();
  const auto environment = iut->begin(kCase).value();
  const auto one = environment->connect().value();
  const auto two = environment->connect().value();
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

TEST(ConnectingIut, GivesEachPeerAConversationOfItsOwn) {
  const auto iut = make_connecting_iut(parse_listen_uri("udp://").value(), "").value();
  const auto environment = iut->begin(kCase).value();
  const auto first = environment->connect().value();
  const auto second = environment->connect().value();
  EXPECT_EQ(first->iut(), "");
  EXPECT_FALSE(first->send(OctetBuffer{1}));

  const Uri uri = parse_peer_uri("udp://" + iut->address()).value();
  auto a = UdpSocket::connect(uri.host, *uri.port);
  auto b = UdpSocket::connect(uri.host, *uri.port);
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

TEST(ConnectingIut, ANewCaseDoesNotHearTheOldOne) {
  const auto iut = make_connecting_iut(parse_listen_uri("udp://").value(), "").value();
  const Uri uri = parse_peer_uri("udp://" + iut->address()).value();
  auto late = UdpSocket::connect(uri.host, *uri.port);
  ASSERT_TRUE(late->send(OctetBuffer{1}));
  const auto environment = iut->begin(kCase).value();
  ASSERT_TRUE(late->send(OctetBuffer{2}));
  EXPECT_THAT(next(*environment->connect().value()), ElementsAre(2));
}

TEST(ConnectingIut, SaysThatTheTriggerCannotBeRun) {
  const auto iut = make_connecting_iut(parse_listen_uri("udp://").value(), "exit 127").value();
  // A trigger that is still on its way to its end when its case ends says nothing; one case will find it there.
  for (int cases = 0; cases < 10'000; ++cases) {
    const auto environment = iut->begin(kCase);
    if (!environment) break;
    ASSERT_TRUE((*environment)->trigger({}));
    static_cast<void>((*environment)->connect().value()->receive((*environment)->now() + std::chrono::milliseconds{1}));
  }
  const auto again = iut->begin(kCase);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().message, "'exit 127' ended with status 127");
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

}  // namespace
}  // namespace wirelaw
