// SPDX-License-Identifier: Apache-2.0
#include "fuzz/delayed_capture.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "conformance/stack.h"
#include "fuzz/target.h"

namespace wirelaw::fuzz {
namespace {

// Static, because a judge refers to it.
const Catalogue& rules_of(const Protocol& protocol) {
  static std::map<std::string_view, Catalogue> known;
  const auto found = known.find(protocol.name);
  return found != known.end() ? found->second
                              : known.emplace(protocol.name, catalogue_of_stack(protocol, protocols())).first->second;
}

}  // namespace

std::vector<std::string> DelayedOutcome::failed_musts() const {
  std::vector<std::string> failed;
  for (const Finding& one : findings)
    if (one.severity == Severity::violation && is_mandatory(one.rule->level))
      failed.push_back(fmt::format("{} by {} at {} ns: expected {}, actual {} ({})", one.rule->id, one.sender,
                                   one.time_ns, one.expected, one.actual, one.explanation));
  return failed;
}

DelayedCapture::DelayedCapture(const Protocol& base, const Protocol& protocol, std::uint64_t skipped,
                               const ObserverLimits& limits)
    : skipped_(skipped), judge_(rules_of(protocol), {.findings_per_rule_and_flow = JudgeLimits::kUnlimited}) {
  judge_.begin_source(completeness());
  flow_.set_number(1);
  flow_.name_sides("delayed", "a", "b", {});
  flow_.begin_on(base, protocol, captured_protocols(), limits, &protocol);
  judge_.enter_flow(flow_.names());
}

void DelayedCapture::see(const pcap::Segment& segment, bool from_a) {
  if (is_skipped()) return;
  judge_.set_now(segment.time_ns);
  tcp_.take(segment, from_a, [this](const StreamPiece& piece) { flow_.observe(piece, judge_); });
}

void DelayedCapture::see(Side from, Octets packet, std::int64_t now_ns) {
  if (is_skipped()) return;
  judge_.set_now(now_ns);
  flow_.observe(message_of(packet, from, seen_ - skipped_ - 1, now_ns), judge_);
}

DelayedOutcome DelayedCapture::finish(std::int64_t now_ns) {
  judge_.set_now(now_ns);
  tcp_.finish([this](const StreamPiece& piece) { flow_.observe(piece, judge_); });
  flow_.finish(judge_);
  judge_.end_source(completeness());
  return {.findings = judge_.findings(), .packets = seen_, .rules = judge_.rule_results()};
}

// The input's octets: the longest delay, out of 3 s; the seed; the shortest delay (bits 0 to 3), the tap (4 to 6) and
// the flag (7); the loss; the number of packets that the capture lacks.
std::optional<DelayedInput> read_delayed(Octets input) {
  if (input.size() < kDelayedInput) return std::nullopt;
  const std::int64_t most_ns = std::int64_t{input[0]} * 3'000'000'000 / 255;
  return DelayedInput{.path = {.seed = input[1],
                               .least_ns = most_ns * (input[2] & 0x0f) / 15,
                               .most_ns = most_ns,
                               .loss = static_cast<Octet>(input[3] / 16),
                               .tap = static_cast<TapPlace>((input[2] >> 4) % 3)},
                      .flag = (input[2] & 0x80) != 0,
                      .skipped = input[4],
                      .rest = input.subspan(kDelayedInput)};
}

void require_no_failed_must(const DelayedOutcome& outcome) {
  const std::vector<std::string> failed = outcome.failed_musts();
  require(failed.empty(), failed.empty() ? "" : "honest endpoints with long ways: " + failed.front());
}

}  // namespace wirelaw::fuzz
