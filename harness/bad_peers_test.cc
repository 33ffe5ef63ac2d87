// SPDX-License-Identifier: Apache-2.0
// A peer that breaks everything passes no case and no rule. It also fails nothing that it had no chance to keep.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

#include "harness/peers/bad_peer.h"
#include "harness/peers/reference_peers.h"
#include "harness/runner.h"
#include "harness/test_decorators.h"
#include "harness/transports/memory/memory_iut.h"

namespace wirelaw {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;

// A datagram to a port that nothing uses: what a live transport makes of the network's answer.
class Refusing final : public ConversationAround {
 public:
  using ConversationAround::ConversationAround;
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant) override {
    return tl::unexpected(TransportError{"nobody listens at " + iut(), ""});
  }
};

// Adds up the virtual time of the run that it is in.
class TimedEnvironment final : public EnvironmentAround {
 public:
  TimedEnvironment(std::unique_ptr<Environment> inner, bool refuses, Instant& total)
      : EnvironmentAround(std::move(inner)), refuses_(refuses), total_(total) {}
  TimedEnvironment(const TimedEnvironment&) = delete;
  TimedEnvironment& operator=(const TimedEnvironment&) = delete;
  ~TimedEnvironment() override { total_ += now(); }

 private:
  std::unique_ptr<Conversation> around(std::unique_ptr<Conversation> wire) override {
    if (!refuses_) return wire;
    return std::make_unique<Refusing>(std::move(wire));
  }

  bool refuses_;
  Instant& total_;
};

class TimedIut final : public IutAround {
 public:
  TimedIut(Conduct conduct, const Framing& framing)
      : IutAround(make_memory_iut([conduct, streams = framing.is_stream](
                                      std::uint64_t) { return std::make_unique<BadPeer>(conduct, streams); },
                                  {.framing = framing})),
        refuses_(conduct == Conduct::resetting && !framing.is_stream) {}

  void pause(std::chrono::nanoseconds duration) override { total_ += duration; }

  Instant total() const { return total_; }

 private:
  std::unique_ptr<Environment> around(std::unique_ptr<Environment> environment, const Case&) override {
    return std::make_unique<TimedEnvironment>(std::move(environment), refuses_, total_);
  }

  bool refuses_;
  Instant total_{0};
};

struct Bad {
  const Protocol* protocol;
  Role role;
  Conduct conduct;
};
std::string test_name(const Bad& bad) {
  return fmt::format("{}_{}_{}", bad.protocol->name,
                     bad.role == Role::responder ? bad.protocol->responder : bad.protocol->initiator,
                     to_string(bad.conduct));
}
void PrintTo(const Bad& bad, std::ostream* out) {
  *out << test_name(bad);
}

std::vector<Bad> all_bad() {
  std::vector<Bad> all;
  for (const Protocol* protocol : protocols())
    for (const Role role : {Role::responder, Role::initiator})
      for (const Conduct conduct : kConducts)
        if (!select_cases(*protocol, role, {}).empty()) all.push_back({protocol, role, conduct});
  return all;
}

class BadPeers : public testing::TestWithParam<Bad> {
 protected:
  RunOutcome run(bool stops_early) {
    const Bad& bad = GetParam();
    const ReferencePeer* const reference = find_reference_peer(bad.protocol->name);
    const PeerOptions said{.role = bad.role, .application = Service::count, .rdma = true};
    return run_cases(*bad.protocol, iut_,
                     {.iut = bad.role,
                      .application = Service::count,
                      .parameters = reference == nullptr ? IutParameters() : offers_of(*reference, said),
                      .stops_early = stops_early});
  }

  TimedIut iut_{GetParam().conduct, memory_framing(*GetParam().protocol)};
};

// Faults that are still the peer's, because its own octets prove them.
bool sends_octets(Conduct conduct) {
  return conduct == Conduct::mirror || conduct == Conduct::garbage;
}

TEST_P(BadPeers, PassNothing) {
  const RunOutcome outcome = run(/*stops_early=*/false);
  std::vector<std::string> passed;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict == Verdict::pass) passed.push_back(one.id);
  for (const RuleResult& one : outcome.results.rules)
    if (one.verdict == Verdict::pass || one.verdict == Verdict::warned) passed.push_back(std::string(one.rule->id));
  EXPECT_THAT(passed, IsEmpty());
}

TEST_P(BadPeers, FailNothingButWhatTheirOctetsProve) {
  const RunOutcome outcome = run(/*stops_early=*/false);
  std::vector<std::string> failed;
  const bool may = sends_octets(GetParam().conduct);
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict == Verdict::fail && !may) failed.push_back(one.id + ": " + one.reason);
  for (const RuleResult& one : outcome.results.rules) {
    if (one.verdict != Verdict::fail) continue;
    const bool proved = std::ranges::any_of(outcome.results.findings, [&](const Finding& finding) {
      return finding.rule == one.rule && finding.evidence == Evidence::octets && !finding.octets.empty();
    });
    if (!may || !proved) failed.push_back(std::string(one.rule->id));
  }
  EXPECT_THAT(failed, IsEmpty());
}

TEST_P(BadPeers, AreFoundOutBeforeTheFirstCase) {
  const RunOutcome outcome = run(/*stops_early=*/true);
  ASSERT_TRUE(outcome.lost);
  EXPECT_LT(iut_.total(), seconds{10});
  for (const CaseResult& one : outcome.results.cases) EXPECT_EQ(one.verdict, Verdict::skipped) << one.id;
  const bool of_streams = memory_framing(*GetParam().protocol).is_stream;
  const bool is_addressed = GetParam().role == Role::responder;  // an initiator is waited for
  switch (GetParam().conduct) {
    case Conduct::closing:
      if (of_streams) {
        EXPECT_THAT(outcome.lost->message, HasSubstr("closes the connection"));
      }
      break;
    case Conduct::resetting:
      EXPECT_THAT(outcome.lost->message, HasSubstr(of_streams ? "resets the connection" : "nobody listens"));
      break;
    case Conduct::mirror:
      if (is_addressed) {
        EXPECT_THAT(outcome.lost->message, HasSubstr("sends back what it is sent"));
      }
      break;
    case Conduct::garbage:
      EXPECT_THAT(outcome.lost->message, HasSubstr("is no message of this protocol"));
      break;
    case Conduct::silent:
      EXPECT_THAT(outcome.lost->message,
                  HasSubstr(GetParam().role == Role::responder ? "it is silent; --answer-time gives it longer to answer"
                                                               : "nothing comes of it"));
      break;
  }
}

INSTANTIATE_TEST_SUITE_P(All, BadPeers, testing::ValuesIn(all_bad()),
                         [](const auto& tested) { return test_name(tested.param); });

// Without a control, silence of a role would prove nothing.
TEST(Controls, EachIsACaseAndEachRoleHasOne) {
  for (const Protocol* protocol : protocols()) {
    for (const std::string_view id : protocol->controls)
      EXPECT_EQ(std::ranges::count(protocol->cases(), id, &Case::id), 1) << protocol->name << ' ' << id;
    for (const Role role : {Role::responder, Role::initiator})
      if (!select_cases(*protocol, role, {}).empty()) {
        EXPECT_FALSE(controls_of(*protocol, role, Service::echo).empty()) << protocol->name;
      }
  }
}

}  // namespace
}  // namespace wirelaw
