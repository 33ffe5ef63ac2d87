// SPDX-License-Identifier: Apache-2.0
// An initiator whose upper layer gives up a new connection has broken no rule. One that never serves a new connection
// has.
#include <gmock/gmock.h>

#include <set>

#include "conformance/smbd/smbd.h"
#include "harness/peers/reference_peers.h"
#include "harness/runner.h"
#include "harness/test_decorators.h"
#include "harness/transports/memory/memory_iut.h"

namespace wirelaw {
namespace {

// The octets that arrive on a connection before its peer closes it: MPA's Request, the Negotiate Request, a message.
enum Came : int { start = 1, message = 3 };

class LeavingConversation final : public ConversationAround {
 public:
  LeavingConversation(std::unique_ptr<Conversation> wire, Came most)
      : ConversationAround(std::move(wire)), most_(most) {}
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    if (came_ == most_) return std::nullopt;
    auto got = inner().receive(deadline);
    if (got && *got && ++came_ == most_) inner().end(Ending::reset);
    return got;
  }
  Ending ending() const override { return came_ == most_ ? Ending::closed : ConversationAround::ending(); }

 private:
  Came most_;
  int came_ = 0;
};

class LeavingEnvironment final : public EnvironmentAround {
 public:
  LeavingEnvironment(std::unique_ptr<Environment> inner, std::set<int> left, Came behind)
      : EnvironmentAround(std::move(inner)), left_(std::move(left)), behind_(behind) {}

  // Triggers once more for each connection that is closed before its first message.
  tl::expected<void, TransportError> trigger(const TriggerRequest& request) override {
    for (std::size_t before = behind_ == start ? left_.size() : 0; before > 0; --before)
      if (auto triggered = EnvironmentAround::trigger(request); !triggered) return triggered;
    return EnvironmentAround::trigger(request);
  }

 private:
  std::unique_ptr<Conversation> around(std::unique_ptr<Conversation> wire) override {
    if (!left_.contains(++made_)) return wire;
    return std::make_unique<LeavingConversation>(std::move(wire), behind_);
  }

  std::set<int> left_;
  Came behind_;
  int made_ = 0;
};

class LeavingIut final : public IutAround {
 public:
  LeavingIut(std::unique_ptr<Iut> inner, std::set<int> left, Came behind)
      : IutAround(std::move(inner)), left_(std::move(left)), behind_(behind) {}

 private:
  std::unique_ptr<Environment> around(std::unique_ptr<Environment> environment, const Case&) override {
    return std::make_unique<LeavingEnvironment>(std::move(environment), left_, behind_);
  }

  std::set<int> left_;
  Came behind_;
};

// The connections of each case that are closed, from 1: the first is that of the fault.
Verdict verdict_of(std::string_view id, std::set<int> left, Came behind = message) {
  const PeerOptions peer{.role = Role::initiator, .application = Service::echo};
  auto maker = find_reference_peer(smbd::kProtocol.name)->maker(peer);
  LeavingIut iut(make_memory_iut(std::move(*maker), {.framing = memory_framing(smbd::kProtocol)}), std::move(left),
                 behind);
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

// Before its first message: what the tester requests now arrives after it.
TEST(LeavingPeers, MayLeaveBeforeTheirFirstMessageOnceOrTwice) {
  constexpr std::string_view kCase = "negotiate/initiator-sends-a-request";
  EXPECT_EQ(verdict_of(kCase, {}, start), Verdict::pass);
  EXPECT_EQ(verdict_of(kCase, {1}, start), Verdict::pass);
  EXPECT_EQ(verdict_of(kCase, {1, 2}, start), Verdict::pass);
  EXPECT_EQ(verdict_of(kCase, {1, 2, 3}, start), Verdict::fail);
}

}  // namespace
}  // namespace wirelaw
