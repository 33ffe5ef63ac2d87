// SPDX-License-Identifier: Apache-2.0
#include "fuzz/ramcloud_tap.h"

#include <cstdio>

#include "conformance/ramcloud/observer.h"
#include "conformance/ramcloud/ramcloud.h"
#include "fuzz/target.h"
#include "reference/octets/hex.h"

namespace wirelaw::fuzz {
namespace {

constexpr std::size_t kObserverOctets = std::size_t{64} << 10;
// The observer looks at its memory every so often: what 256 packets can add in between, at most 16 KiB each for a
// fragment with a number that was never this high.
constexpr std::size_t kSlack = std::size_t{256} * (std::size_t{16} << 10);
constexpr std::uint64_t kBetweenChecks = 16;  // messages; to add the observer's memory up takes longer than to observe
constexpr std::size_t kMostHeld = 32;

// What a peer's fault can make an honest endpoint be warned of. A client that is sent a response before the tap has
// seen its session opened takes it once the session is open, and acknowledges what the observer could place nowhere.
bool is_argued(const Finding& finding) {
  return finding.severity == Severity::warning && finding.rule->id == "RAMCLOUD-ack-9";
}

// Whoever reads a reproducer wants to see the conversation.
const bool kTrace = std::getenv("WIRELAW_FUZZ_TRACE") != nullptr;

void print(std::uint64_t index, End sender, Octets octets) {
  const Decoded decoded = ramcloud::kProtocol.decode(octets);
  std::fprintf(stderr, "%4llu %s %s%s\n", static_cast<unsigned long long>(index), sender == End::client ? "->" : "<-",
               decoded.summary.c_str(), decoded.error.c_str());
}

[[noreturn]] void report(const Finding& finding) {
  std::fprintf(
      stderr, "\nbroken: an honest endpoint is found to break %s (%s): %s\n  message %llu of %s, octets %zu+%zu [%s]\n",
      std::string(finding.rule->id).c_str(), std::string(to_string(finding.severity)).c_str(),
      std::string(finding.rule->summary).c_str(), static_cast<unsigned long long>(finding.message),
      finding.sender.c_str(), finding.offset, finding.length, to_hex(finding.octets).c_str());
  std::fprintf(stderr, "  expected: %s\n  actual: %s\n  %s\n", finding.expected.c_str(), finding.actual.c_str(),
               finding.explanation.c_str());
  std::abort();
}

}  // namespace

Tap::Tap(ramcloud::Role honest)
    : honest_(honest),
      limits_{.octets = kObserverOctets},
      observer_(ramcloud::make_observer(limits_)),
      judge_(ramcloud::kProtocol.catalogue()) {}

bool Tap::is_judged(End end) const {
  const auto role = end == End::client ? ramcloud::Role::client : ramcloud::Role::server;
  return (static_cast<unsigned>(honest_) & static_cast<unsigned>(role)) != 0;
}

void Tap::see(End sender, Octets octets, Instant now) {
  if (messages_ == 0) {
    first_ = sender;
    const End second = sender == End::client ? End::server : End::client;
    const char* const names[] = {"the client", "the server"};
    judge_.enter_flow("fuzz", names[static_cast<int>(first_)], names[static_cast<int>(second)],
                      {.a = is_judged(first_), .b = is_judged(second)});
  }
  if (kTrace) [[unlikely]]
    print(messages_, sender, octets);
  observer_->observe(message_of(octets, sender == first_ ? Side::a : Side::b, messages_++, now.count()), judge_);
  check();
}

void Tap::finish() {
  observer_->finish(judge_);
  check();
}

void Tap::check() const {
  for (const Finding& finding : judge_.findings())
    if (!is_argued(finding)) report(finding);
  if (messages_ % kBetweenChecks == 0)
    require(observer_->memory() <= limits_.octets + kSlack, "the observer keeps to its limit");
}

void Way::send(OctetBuffer octets, corpora::Fate fate, Instant now) {
  using corpora::Fate;
  if (!fate_before_tap_) tap_.see(sender_, octets, now);
  switch (fate) {
    case Fate::lost:
      return;
    case Fate::held:
      if (held_.size() >= kMostHeld) return;
      held_.push_back(std::move(octets));
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
  OctetBuffer octets = std::move(*at);
  held_.erase(at);
  pass(std::move(octets), now);
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
