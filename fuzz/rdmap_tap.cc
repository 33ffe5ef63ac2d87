// SPDX-License-Identifier: Apache-2.0
#include "fuzz/rdmap_tap.h"

#include "conformance/rdmap/observer.h"
#include "conformance/rdmap/rdmap.h"
#include "fuzz/report_finding.h"
#include "fuzz/target.h"

namespace wirelaw::fuzz {
namespace {

constexpr std::size_t kMostMemory = std::size_t{1} << 20;
constexpr std::uint64_t kBetweenChecks = 16;  // in pieces; computing the observer's memory takes longer than observing

}  // namespace

RdmapTap::RdmapTap(Judged honest, bool extensions) : judge_(rdmap::kProtocol.catalogue()) {
  static const std::vector<std::string> kFeatures{std::string(rdmap::kExtensions)};
  ObserverLimits limits;
  if (extensions) limits.features = kFeatures;
  observer_ = rdmap::make_observer(limits);
  judge_.enter_flow("fuzz", "the initiator", "the responder", honest);
  if (tracing()) judge_.listen([](const Message& message) { print(rdmap::kProtocol, message); });
  for (const Side side : {Side::a, Side::b}) observe({.event = StreamEvent::opened, .sender = side});
}

void RdmapTap::observe(const StreamPiece& piece) {
  StreamPiece numbered = piece;
  numbered.offset = at_[piece.sender == Side::a ? 0 : 1];
  numbered.frame = ++pieces_;
  if (capture_) capture_->see(numbered);
  observer_->observe(numbered, judge_);
  if (pieces_ % kBetweenChecks == 0) require(observer_->memory() <= kMostMemory, "the observer keeps to its memory");
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
  require(observer_->memory() <= kMostMemory, "the observer keeps to its memory");
  observer_->finish(judge_);
  check();
}

void RdmapTap::check() const {
  if (!judge_.findings().empty()) [[unlikely]]
    report(judge_.findings().front());
}

}  // namespace wirelaw::fuzz
