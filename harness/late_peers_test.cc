// SPDX-License-Identifier: Apache-2.0
// A peer that connects late, but within --answer-time, is tested like any other.
#include <gmock/gmock.h>

#include "harness/peers/reference_peers.h"
#include "harness/runner.h"
#include "harness/test_decorators.h"
#include "harness/transports/memory/memory_iut.h"

namespace wirelaw {
namespace {

using std::chrono::seconds;

constexpr Instant kLate = seconds(20);  // more than any timer of a start-up
constexpr Instant kPatience = seconds(40);

// Holds back the trigger of the peer's connection until connect().
struct Late {
  Environment& inner;
  std::optional<TriggerRequest> asked = {};
  Instant due{};

  void connect() { static_cast<void>(inner.trigger(*std::exchange(asked, std::nullopt))); }
};

class LateConversation final : public ConversationAround {
 public:
  LateConversation(std::unique_ptr<Conversation> inner, Late& late)
      : ConversationAround(std::move(inner)), late_(late) {}
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    if (late_.asked) {
      const bool in_time = late_.due <= deadline;
      auto none = inner().receive(in_time ? late_.due : deadline);
      if (!none || *none || !in_time) return none;
      late_.connect();
    }
    return inner().receive(deadline);
  }

 private:
  Late& late_;
};

class LateEnvironment final : public EnvironmentAround {
 public:
  using EnvironmentAround::EnvironmentAround;
  tl::expected<void, TransportError> trigger(const TriggerRequest& request) override {
    late_.asked = request;
    late_.due = now() + kLate;
    return {};
  }

 private:
  std::unique_ptr<Conversation> around(std::unique_ptr<Conversation> wire) override {
    return std::make_unique<LateConversation>(std::move(wire), late_);
  }

  Late late_{inner()};
};

class LateIut final : public IutAround {
 public:
  using IutAround::IutAround;

 private:
  std::unique_ptr<Environment> around(std::unique_ptr<Environment> environment, const Case&) override {
    return std::make_unique<LateEnvironment>(std::move(environment));
  }
};

class LatePeers : public testing::TestWithParam<const Protocol*> {};

TEST_P(LatePeers, AreServedLikeOthers) {
  const Protocol& protocol = *GetParam();
  const PeerOptions options{.role = Role::initiator, .application = Service::count};
  auto maker = find_reference_peer(protocol.name)->maker(options);
  ASSERT_TRUE(maker);
  LateIut iut(make_memory_iut(std::move(*maker), {.framing = memory_framing(protocol)}));
  Selection selection;
  for (const Case* one : controls_of(protocol, Role::initiator, Service::count)) selection.cases.emplace_back(one->id);
  ASSERT_FALSE(selection.cases.empty());
  const RunOutcome outcome = run_cases(protocol, iut,
                                       {.iut = Role::initiator,
                                        .selection = selection,
                                        .application = Service::count,
                                        .limits = {.answer_time = kPatience},
                                        .is_known = true});
  EXPECT_FALSE(outcome.lost);
  ASSERT_EQ(outcome.results.cases.size(), selection.cases.size());
  for (const CaseResult& one : outcome.results.cases) EXPECT_EQ(one.verdict, Verdict::pass) << one.id << one.reason;
}

std::vector<const Protocol*> with_initiators_of_streams() {
  std::vector<const Protocol*> some;
  for (const Protocol* protocol : protocols())
    if (memory_framing(*protocol).is_stream && !controls_of(*protocol, Role::initiator, Service::count).empty())
      some.push_back(protocol);
  return some;
}

INSTANTIATE_TEST_SUITE_P(All, LatePeers, testing::ValuesIn(with_initiators_of_streams()),
                         [](const auto& tested) { return std::string(tested.param->name); });

}  // namespace
}  // namespace wirelaw
