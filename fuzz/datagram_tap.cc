// SPDX-License-Identifier: Apache-2.0
#include "fuzz/datagram_tap.h"

#include "fuzz/report_finding.h"
#include "fuzz/target.h"

namespace wirelaw::fuzz {
namespace {

constexpr std::uint64_t kBetweenChecks = 16;  // messages; computing the memory takes longer than observing
constexpr std::size_t kMostHeld = 32;

}  // namespace

Tap::Tap(const Protocol& protocol, Honest honest, Limits limits, std::function<bool(const Finding&)> argued)
    : protocol_(protocol),
      honest_(honest),
      limits_(limits),
      argued_(std::move(argued)),
      observer_(protocol.observer({.octets = limits.octets})),
      judge_(protocol.catalogue()) {}

void Tap::see(End sender, Octets octets, Instant now) {
  if (messages_ == 0) {
    first_ = sender;
    const End second = sender == End::initiator ? End::responder : End::initiator;
    const auto name = [&](End end) { return end == End::initiator ? protocol_.initiator : protocol_.responder; };
    judge_.enter_flow("fuzz", name(first_), name(second), {.a = is_judged(first_), .b = is_judged(second)});
  }
  const Message message = message_of(octets, sender == first_ ? Side::a : Side::b, messages_++, now.count());
  if (tracing()) [[unlikely]]
    print(protocol_, message);
  if (capture_) capture_->see(message);
  observer_->observe(message, judge_);
  check();
}

void Tap::finish() {
  observer_->finish(judge_);
  check();
}

void Tap::check() const {
  for (const Finding& finding : judge_.findings())
    if (!argued_ || !argued_(finding)) report(finding);
  if (messages_ % kBetweenChecks == 0)
    require(observer_->memory() <= limits_.octets + limits_.slack, "the observer keeps to its limit");
}

void Way::send(OctetBuffer octets, corpora::Fate fate, Instant now) {
  using corpora::Fate;
  if (!fate_before_tap_) tap_.see(sender_, octets, now);
  switch (fate) {
    case Fate::lost:
      lost_ = true;
      return;
    case Fate::held:
      held_.push_back({std::move(octets), now});
      if (held_.size() > kMostHeld) release(0, now);
      return;
    case Fate::doubled:
      pass(octets, now);
      [[fallthrough]];
    case Fate::arrives:
      return pass(std::move(octets), now);
  }
}

void Way::release(std::size_t which, Instant now) {
  if (held_.empty()) return;
  const auto at = held_.begin() + static_cast<std::ptrdiff_t>(which % held_.size());
  OctetBuffer octets = std::move(at->octets);
  held_.erase(at);
  pass(std::move(octets), now);
}

void Way::release_before(Instant since, Instant now) {
  while (!held_.empty() && held_.front().since < since) release(0, now);
}

void Way::pass(OctetBuffer octets, Instant now) {
  if (fate_before_tap_) tap_.see(sender_, octets, now);
  arrived_.push_back(std::move(octets));
}

bool Way::next(OctetBuffer& octets) {
  if (arrived_.empty()) return false;
  octets = std::move(arrived_.front());
  arrived_.pop_front();
  return true;
}

}  // namespace wirelaw::fuzz
