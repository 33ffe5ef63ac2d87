// SPDX-License-Identifier: Apache-2.0
// A peer that takes its time until it connects, as long as --answer-time lets it, is tested as any other.
#include <gmock/gmock.h>

#include "harness/carriages/memory/memory_iut.h"
#include "harness/peers/reference_peers.h"
#include "harness/runner.h"

namespace wirelaw {
namespace {

using std::chrono::seconds;

constexpr Instant kLate = seconds(20);  // more than any timer of a start-up
constexpr Instant kPatience = seconds(40);

// What makes the peer connect does so only now.
struct Late {
  Environment& inner;
  std::optional<TriggerRequest> asked = {};
  Instant due{};

  void connect() { static_cast<void>(inner.trigger(*std::exchange(asked, std::nullopt))); }
};

class LateConversation final : public Conversation {
 public:
  LateConversation(std::unique_ptr<Conversation> inner, Late& late) : inner_(std::move(inner)), late_(late) {}
  std::string tester() const override { return inner_->tester(); }
  std::string iut() const override { return inner_->iut(); }
  tl::expected<void, CarriageError> send(Octets octets) override { return inner_->send(octets); }
  tl::expected<std::optional<OctetBuffer>, CarriageError> receive(Instant deadline) override {
    if (late_.asked) {
      const bool in_time = late_.due <= deadline;
      auto none = inner_->receive(in_time ? late_.due : deadline);
      if (!none || *none || !in_time) return none;
      late_.connect();
    }
    return inner_->receive(deadline);
  }
  Instant now() const override { return inner_->now(); }
  void end(Ending ending) override { inner_->end(ending); }
  Ending ending() const override { return inner_->ending(); }

 private:
  std::unique_ptr<Conversation> inner_;
  Late& late_;
};

class LateEnvironment final : public Environment {
 public:
  explicit LateEnvironment(std::unique_ptr<Environment> inner) : inner_(std::move(inner)), late_{*inner_} {}

  tl::expected<Connected, CarriageError> connect(const Route& route) override { return late(inner_->connect(route)); }
  tl::expected<Connected, CarriageError> accept(const Route& route) override { return late(inner_->accept(route)); }
  tl::expected<void, CarriageError> trigger(const TriggerRequest& request) override {
    late_.asked = request;
    late_.due = now() + kLate;
    return {};
  }
  Instant now() const override { return inner_->now(); }
  std::int64_t epoch_ns() const override { return inner_->epoch_ns(); }
  std::string peer_state() const override { return inner_->peer_state(); }

 private:
  tl::expected<Connected, CarriageError> late(tl::expected<Connected, CarriageError> connected) {
    if (connected) connected->wire = std::make_unique<LateConversation>(std::move(connected->wire), late_);
    return connected;
  }

  std::unique_ptr<Environment> inner_;
  Late late_;
};

class LateIut final : public Iut {
 public:
  explicit LateIut(std::unique_ptr<Iut> inner) : inner_(std::move(inner)) {}
  std::string name() const override { return inner_->name(); }
  std::string capture_note() const override { return inner_->capture_note(); }
  Framing framing() const override { return inner_->framing(); }
  tl::expected<std::unique_ptr<Environment>, CarriageError> begin(const Case& next) override {
    auto made = inner_->begin(next);
    if (made) *made = std::make_unique<LateEnvironment>(std::move(*made));
    return made;
  }
  void pause(std::chrono::nanoseconds duration) override { inner_->pause(duration); }

 private:
  std::unique_ptr<Iut> inner_;
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
