// SPDX-License-Identifier: Apache-2.0
// An initiator whose upper layer gives a new connection up has not broken a rule for that; one that never serves a new
// one has.
#include <gmock/gmock.h>

#include <set>

#include "conformance/smbd/smbd.h"
#include "harness/carriages/memory/memory_iut.h"
#include "harness/peers/reference_peers.h"
#include "harness/runner.h"
#include "harness/test_decorators.h"

namespace wirelaw {
namespace {

// Its peer closes the connection once so much has come of it: MPA's Request, the Negotiate Request, a message.
class LeavingConversation final : public ConversationAround {
 public:
  using ConversationAround::ConversationAround;
  tl::expected<std::optional<OctetBuffer>, CarriageError> receive(Instant deadline) override {
    if (came_ == kMost) return std::nullopt;
    auto got = inner().receive(deadline);
    if (got && *got && ++came_ == kMost) inner().end(Ending::reset);
    return got;
  }
  Ending ending() const override { return came_ == kMost ? Ending::closed : ConversationAround::ending(); }

 private:
  static constexpr int kMost = 3;
  int came_ = 0;
};

class LeavingEnvironment final : public EnvironmentAround {
 public:
  LeavingEnvironment(std::unique_ptr<Environment> inner, std::set<int> left)
      : EnvironmentAround(std::move(inner)), left_(std::move(left)) {}

 private:
  std::unique_ptr<Conversation> around(std::unique_ptr<Conversation> wire) override {
    if (!left_.contains(++made_)) return wire;
    return std::make_unique<LeavingConversation>(std::move(wire));
  }

  std::set<int> left_;
  int made_ = 0;
};

class LeavingIut final : public IutAround {
 public:
  LeavingIut(std::unique_ptr<Iut> inner, std::set<int> left) : IutAround(std::move(inner)), left_(std::move(left)) {}

 private:
  std::unique_ptr<Environment> around(std::unique_ptr<Environment> environment, const Case&) override {
    return std::make_unique<LeavingEnvironment>(std::move(environment), left_);
  }

  std::set<int> left_;
};

// Which connections of each case are given up, from 1: the first is that of the fault.
Verdict verdict_of(std::string_view id, std::set<int> left) {
  const PeerOptions peer{.role = Role::initiator, .application = Service::echo};
  auto maker = find_reference_peer(smbd::kProtocol.name)->maker(peer);
  LeavingIut iut(make_memory_iut(std::move(*maker), {.framing = memory_framing(smbd::kProtocol)}), std::move(left));
  const auto outcome = run_cases(smbd::kProtocol, iut,
                                 {.iut = Role::initiator, .selection = {.cases = {std::string(id)}}, .is_known = true});
  return outcome.results.cases.at(0).verdict;
}

TEST(LeavingPeers, HaveANewConnectionServedAtTheSecondOrThirdTry) {
  constexpr std::string_view kCase = "end/initiator-survives-a-close-between-messages";
  EXPECT_EQ(verdict_of(kCase, {}), Verdict::pass);
  EXPECT_EQ(verdict_of(kCase, {2}), Verdict::pass);
  EXPECT_EQ(verdict_of(kCase, {2, 3}), Verdict::pass);
  EXPECT_EQ(verdict_of(kCase, {2, 3, 4}), Verdict::fail);
}

}  // namespace
}  // namespace wirelaw
