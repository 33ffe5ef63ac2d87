// SPDX-License-Identifier: Apache-2.0
#include "fuzz/efa_conversation.h"

#include <algorithm>
#include <deque>

#include "fuzz/efa_calls.h"
#include "fuzz/efa_oracle.h"
#include "fuzz/efa_peer.h"

namespace wirelaw::fuzz {
namespace {

using corpora::EfaAction;
using corpora::EfaStep;
using corpora::Fate;
using namespace std::chrono_literals;

constexpr std::size_t kMostSteps = 384;
constexpr std::size_t kMostPerStep = 4096;  // packets: a window of octets, sent one per packet
constexpr std::size_t kMemory = 4096;       // octets that the peer may read and write
constexpr std::size_t kMostTimers = 20'000;
constexpr PeerId kPeer = 1;
constexpr std::uint64_t kPeerMemory = 0x10000;  // octets of peer memory that the endpoint may access

// The fate of the endpoint's packets: the device loses and duplicates none (1.1), so they may only be overtaken. (The
// observer warns of packets that UDP duplicates before it, because the endpoint might have sent them twice.)
Fate of_device(Fate fate) {
  return fate == Fate::held ? fate : Fate::arrives;
}

// The fate of the peer's packets after the observer: the device loses none of them either, and does not duplicate a
// packet whose duplicate would be a second operation.
Fate of_peer(Fate fate, Octets octets) {
  const bool impossible = fate == Fate::lost || (fate == Fate::doubled && !can_be_told(octets));
  return impossible ? Fate::arrives : fate;
}

class Run {
 public:
  Run(const corpora::EfaSteps& conversation, bool calls)
      : options_(corpora::efa_options_of(conversation.settings)),
        endpoint_(options_, 1),
        target_(endpoint_.memory().add(EfaCalls::message(kMemory), efa::Access::read_write)),
        peer_(corpora::efa_extras_of(conversation.settings), target_),
        calls_(endpoint_, kPeer, {.addr = 0x4000, .len = kPeerMemory, .key = 9}),
        requester_(calls),
        us_(calls ? End::initiator : End::responder),
        tap_(efa_tap({.initiator = calls, .responder = !calls}, [this] { return gave_up_; })),
        to_us_(tap_, calls ? End::responder : End::initiator, false),
        to_peer_(tap_, us_, true) {
    for (const EfaStep& step : conversation.steps) take(step);
    come_to_rest();
    calls_.require_all_done();
    tap_.finish();
  }

 private:
  void take(const EfaStep& step) {
    switch (static_cast<EfaAction>(step.action % corpora::kEfaActions)) {
      case EfaAction::time:
        pass_time((step.relative & 1) != 0 ? std::max(now_, endpoint_.deadline().value_or(now_))
                                           : now_ + step.amount * 1ms);
        break;
      case EfaAction::call:
        if (requester_)
          calls_.call(step, now_);
        else
          calls_.post_receive(step, now_);
        break;
      case EfaAction::release:
        ((step.relative & 1) != 0 ? to_peer_ : to_us_).release(step.which, now_);
        break;
      case EfaAction::rdma:
        finish_rdma((step.relative & 1) == 0);
        break;
      default:
        if (auto octets = peer_.act(step)) {
          const Fate fate = of_peer(Fates::of_peer(step.fates), *octets);
          to_us_.send(std::move(*octets), fate, now_);
        }
    }
    settle(step.fates);
  }

  void pass_time(Instant until) {
    to_us_.release_before(until - kMostFlight, now_);
    to_peer_.release_before(until - kMostFlight, now_);
    settle(0);
    const auto due = endpoint_.deadline();
    gave_up_ = gave_up_ || (due && *due <= until);
    now_ = until;
    endpoint_.advance(now_);
  }

  void settle(Octet octet_of_fates) {
    for (OctetBuffer octets; to_us_.next(octets);) endpoint_.receive(kPeer, octets, now_);
    Fates fates(octet_of_fates);
    std::size_t count = 0;
    for (Outgoing out; endpoint_.next_datagram(out); ++count) {
      require(out.to == kPeer, "an endpoint sends to the peers that it has");
      require(efa::decode(out.octets).has_value(), "an endpoint sends whole packets");
      require(out.octets.size() <= options_.mtu, "an endpoint's packets keep to the MTU");
      to_peer_.send(std::move(out.octets), of_device(fates.next()), now_);
    }
    require(count <= kMostPerStep, "a step makes a bounded number of packets");
    for (OctetBuffer octets; to_peer_.next(octets);) peer_.learn(octets);
    for (efa::RdmaWork work; endpoint_.next_rdma(work);) rdma_.push_back(std::move(work));
    calls_.settle();
    require_bounds(endpoint_, options_);
  }

  void finish_rdma(bool ok) {
    if (rdma_.empty()) return;
    const efa::RdmaWork work = std::move(rdma_.front());
    rdma_.pop_front();
    require(work.remote.len <= options_.max_rdma_octets, "an RDMA operation keeps to the device's limit");
    // A peer may claim any length, but only the octets of a receive or a call are read.
    constexpr std::uint64_t kMostRdma = std::uint64_t{1} << 20;
    require(work.remote.len <= kMostRdma || work.kind == efa::RdmaWork::Kind::write, "an RDMA read fits its buffer");
    const OctetBuffer octets(work.kind == efa::RdmaWork::Kind::read ? work.remote.len : 0, 0x5d);
    endpoint_.rdma_done(work.id, ok, octets, now_);
  }

  // The peer no longer answers, so waiting operations are given up.
  void come_to_rest() {
    pass_time(now_ + 2 * kMostFlight);  // releases all held packets
    settle(0);
    for (std::size_t i = 0;; ++i) {
      require(i < kMostTimers, "an endpoint that is not answered comes to rest");
      while (!rdma_.empty()) finish_rdma(false), settle(0);
      const auto due = endpoint_.deadline();
      if (!due) return;
      now_ = std::max(now_, *due);
      endpoint_.advance(now_);
      settle(0);
    }
  }

  efa::Options options_;
  Instant now_{};
  efa::Endpoint endpoint_;
  efa::RmaIov target_;
  EfaPeer peer_;
  EfaCalls calls_;
  bool requester_;
  bool gave_up_ = false;
  End us_;
  Tap tap_;
  Way to_us_, to_peer_;
  std::deque<efa::RdmaWork> rdma_;
};

}  // namespace

void run_efa_conversation(Octets input, bool calls) {
  Run(corpora::read_efa_steps(input, kMostSteps), calls);
}

}  // namespace wirelaw::fuzz
