// SPDX-License-Identifier: Apache-2.0
// The responder of harness/peers/efa_peer.h.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "harness/peers/efa_endpoint_peer.h"
#include "harness/peers/peer_application.h"
#include "reference/octet_budget.h"

namespace wirelaw::efa {
namespace {

// A peer that sends much and takes no answer must not fill the memory.
constexpr std::size_t kAnswerOctets = std::size_t{64} << 20;
constexpr std::size_t kAnswerOverhead = 256;

class ResponderPeer final : public EndpointPeer {
 public:
  ResponderPeer(std::uint64_t seed, const PeerSetup& setup)
      : EndpointPeer(seed, setup), application_(setup.application) {}

  bool trigger(PeerId, const TriggerRequest&, Instant) override { return false; }
  bool idle() const override { return true; }
  std::uint64_t failed() const override { return 0; }
  std::string state() const override {
    return fmt::format("EFA RDM responder: {} messages received, {} not answered, {} writes with CQ data; {}\n",
                       messages_, unanswered_, writes_, counts());
  }

 private:
  void on(Completion& completion, Instant now) override {
    switch (completion.kind) {
      case Completion::Kind::receive:
        ++messages_;
        if (completion.status != Status::ok || !application_.answers()) {
          ++unanswered_;
          return;
        }
        return answer(completion.peer,
                      {.data = application_.answer_to(std::move(completion.data)),
                       .tag = completion.tag,
                       .cq_data = completion.cq_data},
                      now);
      case Completion::Kind::remote_write:
        ++writes_;
        if (application_.answers()) answer(completion.peer, {.data = {}, .cq_data = completion.cq_data}, now);
        return;
      case Completion::Kind::send:
        answers_.erase(completion.id);
        return;
      case Completion::Kind::write:
      case Completion::Kind::read:
      case Completion::Kind::atomic:
        return;  // it makes none
    }
  }

  void answer(PeerId to, SendCall call, Instant now) {
    OctetCharge charge(budget_);
    if (!charge.take(call.data.size() + kAnswerOverhead)) {
      ++unanswered_;
      return;
    }
    answers_.emplace(endpoint().send(to, std::move(call), now), std::move(charge));
  }

  PeerApplication application_;
  OctetBudget budget_{kAnswerOctets};
  std::map<OperationId, OctetCharge> answers_;  // answers in progress
  std::uint64_t messages_ = 0;
  std::uint64_t unanswered_ = 0;
  std::uint64_t writes_ = 0;
};

}  // namespace

std::unique_ptr<wirelaw::Peer> make_responder(std::uint64_t seed, const PeerSetup& setup) {
  return std::make_unique<ResponderPeer>(seed, setup);
}

}  // namespace wirelaw::efa
