// SPDX-License-Identifier: Apache-2.0
#include "fuzz/rdmap_tap.h"

#include <cstdio>
#include <cstdlib>

#include "conformance/rdmap/observer.h"
#include "conformance/rdmap/rdmap.h"
#include "fuzz/target.h"
#include "reference/octets/hex.h"

namespace wirelaw::fuzz {
namespace {

constexpr std::size_t kMostMemory = std::size_t{1} << 20;

// Whoever reads a reproducer wants to see the conversation.
const bool kTrace = std::getenv("WIRELAW_FUZZ_TRACE") != nullptr;

void print(const Message& message) {
  const Decoded decoded = rdmap::kProtocol.decode(message.octets);
  std::fprintf(stderr, "%4llu %s %s%s\n", static_cast<unsigned long long>(message.index),
               message.sender == Side::a ? "->" : "<-", decoded.summary.c_str(), decoded.error.c_str());
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

RdmapTap::RdmapTap(Judged honest, bool extensions) : judge_(rdmap::kProtocol.catalogue()) {
  static const std::vector<std::string> kFeatures{std::string(rdmap::kExtensions)};
  ObserverLimits limits;
  if (extensions) limits.features = kFeatures;
  observer_ = rdmap::make_observer(limits);
  judge_.enter_flow("fuzz", "the initiator", "the responder", honest);
  if (kTrace) judge_.listen(print);
  for (const Side side : {Side::a, Side::b}) observe({.event = StreamEvent::opened, .sender = side});
}

void RdmapTap::observe(const StreamPiece& piece) {
  StreamPiece numbered = piece;
  numbered.offset = at_[piece.sender == Side::a ? 0 : 1];
  numbered.frame = ++pieces_;
  observer_->observe(numbered, judge_);
  require(observer_->memory() <= kMostMemory, "the observer keeps to its memory");
  check();
}

void RdmapTap::see(Side sender, Octets octets, Instant now) {
  if (octets.empty()) return;
  observe({.sender = sender, .octets = octets, .time_ns = now.count()});
  at_[sender == Side::a ? 0 : 1] += octets.size();
}

void RdmapTap::see_end(Side sender, Ending ending, Instant now) {
  observe({.event = ending == Ending::reset ? StreamEvent::reset : StreamEvent::closed,
           .sender = sender,
           .time_ns = now.count()});
}

void RdmapTap::finish() {
  observer_->finish(judge_);
  check();
}

void RdmapTap::check() const {
  if (!judge_.findings().empty()) [[unlikely]]
    report(judge_.findings().front());
}

}  // namespace wirelaw::fuzz
