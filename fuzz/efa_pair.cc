// SPDX-License-Identifier: Apache-2.0
#include "fuzz/efa_pair.h"

#include <algorithm>
#include <array>
#include <deque>

#include "fuzz/efa_calls.h"
#include "fuzz/efa_oracle.h"
#include "fuzz/target.h"

namespace wirelaw::fuzz {
namespace {

using corpora::EfaAction;
using corpora::EfaStep;
using corpora::Fate;
using namespace std::chrono_literals;

constexpr std::size_t kMostSteps = 192;
constexpr std::size_t kMemory = 4096;
constexpr std::size_t kMostRounds = 200'000;

class Pair {
 public:
  Pair(const corpora::EfaSteps& conversation, DamagedCapture* capture)
      : options_{corpora::efa_options_of(conversation.settings), corpora::efa_options_of(conversation.settings, true)},
        a_(options_[0], 1),
        b_(options_[1], 2),
        memory_{a_.memory().add(EfaCalls::message(kMemory), efa::Access::read_write),
                b_.memory().add(EfaCalls::message(kMemory), efa::Access::read_write)},
        calls_{EfaCalls(a_, 1, memory_[1]), EfaCalls(b_, 0, memory_[0])} {
    tap_.show_to(capture);
    for (const EfaStep& step : conversation.steps) take(step);
    come_to_rest();
    for (const EfaCalls& calls : calls_) calls.require_all_done();
    tap_.finish();
  }

 private:
  struct InFlight {
    std::size_t sender;
    bool seen;  // it has passed the tap
    Instant since;
    OctetBuffer octets;
  };

  efa::Endpoint& endpoint(std::size_t which) { return which == 0 ? a_ : b_; }

  void take(const EfaStep& step) {
    switch (static_cast<EfaAction>(step.action % corpora::kEfaActions)) {
      case EfaAction::call:
      case EfaAction::raw:
      case EfaAction::replay:
        calls_[step.relative & 1].call(step, now_);
        break;
      case EfaAction::rdma:
        finish_rdma((step.relative & 1) == 0);
        break;
      case EfaAction::time:
        pass_time(std::min<Instant>(step.amount * 1ms, kMostFlight));
        break;
      default:
        if (!in_flight_.empty()) move(step.which % in_flight_.size(), Fates::of_peer(step.fates));
    }
    settle();
  }

  // Moves one packet a step: to the tap, or from the tap to its receiver.
  void move(std::size_t which, Fate fate) {
    if (fate == Fate::held) return;
    // Only after the tap: a duplicate before it causes a warning, since an endpoint might have sent it.
    const bool doubled = fate == Fate::doubled && in_flight_[which].seen && can_be_told(in_flight_[which].octets);
    const auto at = in_flight_.begin() + static_cast<std::ptrdiff_t>(which);
    InFlight packet = *at;
    if (!doubled) in_flight_.erase(at);
    if (!packet.seen) {
      tap_.see(packet.sender == 0 ? End::initiator : End::responder, packet.octets, now_);
      packet.seen = true;
      in_flight_.push_back(std::move(packet));
    } else {
      endpoint(1 - packet.sender).receive(packet.sender, packet.octets, now_);
    }
  }

  // First delivers packets that have been in transit for too long.
  void pass_time(Instant time) {
    for (std::size_t which = 0; which < in_flight_.size();)
      if (in_flight_[which].since + kMostFlight < now_ + time)
        move(which, Fate::arrives);
      else
        ++which;
    now_ += time;
  }

  void settle() {
    for (std::size_t which : {0u, 1u}) {
      for (Outgoing out; endpoint(which).next_datagram(out);) {
        require(out.to == 1 - which, "an endpoint sends to the peer that it has");
        require(out.octets.size() <= options_[which].mtu, "an endpoint's packets keep to the MTU");
        in_flight_.push_back({which, false, now_, std::move(out.octets)});
      }
      for (efa::RdmaWork work; endpoint(which).next_rdma(work);) rdma_.push_back({which, std::move(work)});
      calls_[which].settle();
      require_bounds(endpoint(which), options_[which]);
    }
  }

  void finish_rdma(bool ok) {
    if (rdma_.empty()) return;
    const auto [which, work] = std::move(rdma_.front());
    rdma_.pop_front();
    efa::Endpoint& there = endpoint(1 - which);
    if (!ok) {
      endpoint(which).rdma_done(work.id, false, {}, now_);
    } else if (work.kind == efa::RdmaWork::Kind::read) {
      const auto octets = there.rdma_read(work.remote);
      endpoint(which).rdma_done(work.id, octets.has_value(), octets.value_or(Octets{}), now_);
    } else {
      const bool written = there.rdma_written(which, work.remote, work.octets, work.cq_data);
      endpoint(which).rdma_done(work.id, written, {}, now_);
    }
  }

  // Packets in flight arrive in order; operations that wait for others are given up.
  void come_to_rest() {
    for (std::size_t rounds = 0;; ++rounds) {
      require(rounds < kMostRounds, "the conversation comes to rest");
      if (!in_flight_.empty()) {
        move(0, Fate::arrives);
      } else if (!rdma_.empty()) {
        finish_rdma(true);
      } else {
        const auto due = std::min(a_.deadline().value_or(Instant::max()), b_.deadline().value_or(Instant::max()));
        if (due == Instant::max()) return;
        now_ = std::max(now_, due);
        a_.advance(now_);
        b_.advance(now_);
      }
      settle();
    }
  }

  std::array<efa::Options, 2> options_;
  Instant now_{};
  efa::Endpoint a_, b_;
  std::array<efa::RmaIov, 2> memory_;
  std::array<EfaCalls, 2> calls_;
  Tap tap_ = efa_tap({}, [] { return false; });
  std::deque<InFlight> in_flight_;
  std::deque<std::pair<std::size_t, efa::RdmaWork>> rdma_;
};

}  // namespace

void run_efa_pair(Octets conversation, DamagedCapture* capture) {
  Pair(corpora::read_efa_steps(conversation, kMostSteps), capture);
}

}  // namespace wirelaw::fuzz
