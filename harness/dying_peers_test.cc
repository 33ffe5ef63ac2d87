// SPDX-License-Identifier: Apache-2.0
// A peer that dies of what a case sends on purpose fails the rule of that stimulus; one that dies before, of what any
// good peer sends, breaks nothing.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "harness/peers/reference_peers.h"
#include "harness/runner.h"
#include "harness/test_decorators.h"
#include "harness/transports/memory/memory_iut.h"

namespace wirelaw {
namespace {

// The number of messages that a peer survives before the next one kills it, over all conversations of a case.
struct Life {
  std::size_t left = 0;
  bool over = false;
};

class MortalConversation final : public ConversationAround {
 public:
  MortalConversation(std::unique_ptr<Conversation> inner, Life& life)
      : ConversationAround(std::move(inner)), life_(life) {}
  tl::expected<void, TransportError> send(Octets octets) override {
    if (life_.left == 0) life_.over = true;
    if (life_.over) return {};
    --life_.left;
    return inner().send(octets);
  }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    for (;;) {
      auto octets = inner().receive(deadline);
      if (!life_.over || !octets || !*octets) return octets;
    }
  }

 private:
  Life& life_;
};

class MortalEnvironment final : public EnvironmentAround {
 public:
  MortalEnvironment(std::unique_ptr<Environment> inner, Life& life)
      : EnvironmentAround(std::move(inner)), life_(life) {}
  std::optional<Death> death(bool) override {
    if (!life_.over) return std::nullopt;
    return Death{.how = "killed by signal 11 (Segmentation fault)"};
  }

 private:
  std::unique_ptr<Conversation> around(std::unique_ptr<Conversation> wire) override {
    return std::make_unique<MortalConversation>(std::move(wire), life_);
  }

  Life& life_;
};

class MortalIut final : public IutAround {
 public:
  MortalIut(std::unique_ptr<Iut> inner, std::size_t lives_for)
      : IutAround(std::move(inner)), life_{.left = lives_for} {}

 private:
  std::unique_ptr<Environment> around(std::unique_ptr<Environment> environment, const Case&) override {
    return std::make_unique<MortalEnvironment>(std::move(environment), life_);
  }

  Life life_;
};

struct Dying {
  std::string_view protocol;
  Role role;
  std::string_view tested;
  std::string_view rule;  // rule whose stimulus the case sends
  std::size_t begins;     // messages that any good peer sends before
};
void PrintTo(const Dying& dying, std::ostream* out) {
  *out << dying.protocol << ' ' << dying.tested;
}

class DyingPeers : public testing::TestWithParam<Dying> {
 protected:
  RunOutcome run(std::size_t lives_for) {
    const Dying& dying = GetParam();
    const Protocol& protocol = *find_protocol(dying.protocol);
    const ReferencePeer& reference = *find_reference_peer(protocol.name);
    const PeerOptions peer{.role = dying.role, .application = Service::echo, .rdma = true};
    auto maker = reference.maker(peer);
    MortalIut iut(make_memory_iut(std::move(*maker), {.framing = memory_framing(protocol)}), lives_for);
    return run_cases(protocol, iut,
                     {.iut = dying.role,
                      .selection = {.cases = {std::string(dying.tested)}},
                      .parameters = offers_of(reference, peer),
                      .controls = false,
                      .is_known = true});
  }
};

TEST_P(DyingPeers, OfTheStimulusFailItsRule) {
  const RunOutcome outcome = run(GetParam().begins);
  EXPECT_EQ(outcome.deaths, 1u);
  ASSERT_EQ(outcome.results.cases.size(), 1u);
  EXPECT_EQ(outcome.results.cases[0].verdict, Verdict::fail) << outcome.results.cases[0].reason;
  ASSERT_EQ(outcome.results.findings.size(), 1u);
  EXPECT_EQ(outcome.results.findings[0].rule->id, GetParam().rule);
  EXPECT_EQ(outcome.results.findings[0].actual, "the peer died: killed by signal 11 (Segmentation fault)");
}

TEST_P(DyingPeers, BeforeItBreakNothing) {
  ASSERT_GT(GetParam().begins, 0u);
  for (std::size_t sent = 0; sent < GetParam().begins; ++sent) {
    const RunOutcome outcome = run(sent);
    EXPECT_EQ(outcome.deaths, 1u);
    ASSERT_EQ(outcome.results.cases.size(), 1u);
    EXPECT_EQ(outcome.results.cases[0].verdict, Verdict::inconclusive) << sent;
    for (const Finding& one : outcome.results.findings) ADD_FAILURE() << sent << ' ' << one.rule->id;
  }
}

constexpr Dying kDying[] = {
    {"rdmap", Role::responder, "rdmap/responder-refuses-short-read-requests", "RDMAP-5.2.1-5", 1},
    {"rdmap", Role::initiator, "rdmap/initiator-refuses-short-read-requests", "RDMAP-5.2.1-5", 1},
    {"rdmap", Role::responder, "rdmap/responder-refuses-responses-unasked", "RDMAP-5.2.2-4", 1},
    {"efa", Role::responder, "stray/of-another-kind", "EFA-3.2-283", 2},
    {"efa", Role::initiator, "stray/cts-to-requester", "EFA-3.2-281", 1},
    {"ramcloud", Role::responder, "fragNumber/request-fragment-beyond-the-end", "RAMCLOUD-fragNumber-4", 4},
    {"ramcloud", Role::initiator, "fragNumber/response-fragment-beyond-the-end", "RAMCLOUD-fragNumber-7", 1},
    {"ramcloud", Role::responder, "badSession/answers-a-wrong-token", "RAMCLOUD-badSession-4", 1},
    {"ramcloud", Role::responder, "pleaseDrop/request-that-asks-for-an-ACK", "RAMCLOUD-pleaseDrop-1", 3},
    {"ramcloud", Role::responder, "requestAck/server-acknowledges-a-fragment", "RAMCLOUD-requestAck-1", 3},
    {"ramcloud", Role::responder, "ack/server-reports-staged-fragments", "RAMCLOUD-ack-7", 3},
    {"ramcloud", Role::responder, "session/sessions-are-independent", "RAMCLOUD-session-4", 5},
    {"ramcloud", Role::responder, "old/whole-response-comes-again", "RAMCLOUD-old-12", 7},
    {"ramcloud", Role::initiator, "old/client-reports-what-is-missing", "RAMCLOUD-old-14", 1},
    {"ramcloud", Role::initiator, "sessionToken/client-uses-one-of-two-sessions", "RAMCLOUD-sessionToken-6", 1},
    {"umsp", Role::responder, "response/unasked-rsp-changes-nothing", "UMSP-4-6", 3},
    {"umsp", Role::responder, "memory/what-is-not-there-is-not-read", "UMSP-6.1.1-10", 2},
    {"umsp", Role::initiator, "response/initiator-takes-rsp-with-message", "UMSP-4.1-5", 2},
};
INSTANTIATE_TEST_SUITE_P(All, DyingPeers, testing::ValuesIn(kDying));

}  // namespace
}  // namespace wirelaw
