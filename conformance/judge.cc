// SPDX-License-Identifier: Apache-2.0
#include "conformance/judge.h"

#include <algorithm>

namespace wirelaw {
namespace {

constexpr std::string_view kHeldBack =
    "its breaches rest on absence or order, and the capture is not known to be complete";

Verdict verdict_of(const RuleResult& result) {
  const Rule& rule = *result.rule;
  if (rule.level == Level::obsolete || rule.observable == Observable::none) return Verdict::not_applicable;
  if (result.failed > 0) return Verdict::fail;
  if (result.held_back > 0) return Verdict::inconclusive;
  if (result.warned > 0) return Verdict::warned;
  if (result.exercised > 0) return Verdict::pass;
  return result.inconclusive > 0 ? Verdict::inconclusive : Verdict::not_exercised;
}

constexpr std::size_t kMostPlaces = 64;  // places listed in one finding

// The finding names the frames that hold its octets. If something is absent, it names the frame in which the message
// begins.
void place(Finding& finding, const Message& message) {
  const std::size_t end = finding.offset + finding.length;
  for (const Place& one : message.places) {
    const std::size_t from = std::max(finding.offset, one.offset), to = std::min(end, one.offset + one.length);
    if (from >= to || one.frame == 0) continue;  // 0: not captured
    if (finding.places.size() == kMostPlaces) break;
    const auto ahead = static_cast<std::uint32_t>(from - one.offset);
    finding.places.push_back({.frame = one.frame,
                              .frame_offset = one.frame_offset == 0 ? 0 : one.frame_offset + ahead,
                              .length = to - from});
  }
  if (!finding.places.empty())
    finding.frame = finding.places.front().frame;
  else if (!message.places.empty())
    finding.frame = message.places.front().frame;
}

}  // namespace

void conclude(RuleResult& result) {
  result.verdict = verdict_of(result);
  if (result.verdict == Verdict::inconclusive && result.held_back > 0) result.reason = kHeldBack;
  if (result.verdict == Verdict::not_applicable) result.reason = result.rule->note;
}

Judge::Judge(const Catalogue& catalogue, JudgeLimits limits)
    : catalogue_(&catalogue),
      exercised_(catalogue.slots()),
      tally_(catalogue.slots()),
      room_(limits, catalogue.slots()) {}

std::uint64_t Judge::next_flow_number() {
  constexpr std::uint64_t kFirstOwnNumber = std::uint64_t{1} << 47;  // far from the numbers that callers choose
  own_flow_->number = std::max(own_flow_->number + 1, kFirstOwnNumber);
  return own_flow_->number;
}

void Judge::enter_flow(std::string_view id, std::string_view name_a, std::string_view name_b, Judged judged) {
  *own_flow_ = {.number = next_flow_number(),
                .id = std::string(id),
                .sides = {std::string(name_a), std::string(name_b)},
                .judged = judged};
  enter_flow(*own_flow_);
}

void Judge::select(std::span<const std::string> patterns) {
  for (const Rule* rule : catalogue_->rules())
    tally_[rule->slot].selected = patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
                                    return matches_glob(pattern, rule->id);
                                  });
}

void Judge::narrow_to(RuleList own) {
  for (const Rule* rule : catalogue_->rules())
    if (std::ranges::find(own, rule) == own.end()) tally_[rule->slot].selected = false;
}

void Judge::inconclusive(const Rule& rule, std::string_view reason) {
  if (!judged_) return;
  Tally& tally = tally_[rule.slot];
  ++tally.inconclusive;
  if (!tally.reason.empty()) return;
  tally.reason = reason;
  tally.reason_step = step_;
}

FindingKind Judge::worth_of(Evidence evidence) const {
  if (evidence == Evidence::octets) return FindingKind::failure;
  if (!flow_->missing.empty()) return FindingKind::held_back;
  if (flow_->order_unknown || flow_->order_was_unknown) return FindingKind::held_back;
  return source_ == Completeness::complete ? FindingKind::failure : FindingKind::pending;
}

void Judge::end_source(Completeness completeness) {
  const bool complete = completeness == Completeness::complete;
  for (Tally& tally : tally_) {
    (complete ? tally.failed : tally.held_back) += tally.pending;
    if (complete) violations_ += tally.pending;
    tally.pending = 0;
  }
  for (const std::size_t at : held_back_) {
    if (!complete) break;
    findings_[at].severity = Severity::violation;
    findings_[at].held_back = false;
  }
  held_back_.clear();
  source_ = Completeness::complete;
}

void Judge::note_held_back(const Rule& rule, FindingKind worth, std::size_t finding) {
  constexpr std::size_t kMost = 64;
  if (held_lately_.size() == kMost) held_lately_.erase(held_lately_.begin());
  held_lately_.push_back({.rule = &rule,
                          .flow = flow_->number,
                          .message = message_.index,
                          .pending = worth == FindingKind::pending,
                          .batch = batch_,
                          .finding = finding});
}

std::vector<HeldBack> Judge::take_held_back() {
  if (held_lately_.empty()) [[likely]]
    return {};
  std::vector<HeldBack> held = std::exchange(held_lately_, {});
  std::erase_if(held, [&](const HeldBack& one) { return one.flow != flow_->number || one.message != message_.index; });
  return held;
}

void Judge::settle(const HeldBack& held, std::string_view why) {
  Tally& tally = tally_[held.rule->slot];
  std::uint64_t& count = held.pending ? tally.pending : tally.held_back;
  if (count == 0) return;  // the source has ended
  --count;
  ++tally.failed;
  ++violations_;
  if (held.finding == HeldBack::kNotKept || held.batch != batch_) return;
  Finding& finding = findings_[held.finding];
  finding.severity = Severity::violation;
  finding.evidence = Evidence::octets;
  finding.held_back = false;
  finding.explanation += finding.explanation.empty() ? "" : "; ";
  finding.explanation += why;
  std::erase(held_back_, held.finding);
}

void Judge::record(const Rule& rule, Severity severity, Evidence evidence, OctetRange where, std::string expected,
                   std::string actual, std::string explanation) {
  Tally& tally = tally_[rule.slot];
  if (!tally.selected) return;
  const bool is_breach = severity == Severity::violation;
  // A peer gets no finding for something that the capture lacks, not even a warning.
  const bool may_be_there = evidence != Evidence::octets && !flow_->missing.empty();
  const FindingKind worth = is_breach || may_be_there ? worth_of(evidence) : FindingKind::failure;
  const bool held_back = worth != FindingKind::failure;
  // Something that was not seen earlier may have been sent in another order.
  if (worth == FindingKind::held_back && flow_->missing.empty()) evidence = Evidence::order;
  if (worth == FindingKind::pending) ++tally.pending;
  if (worth == FindingKind::held_back) ++tally.held_back;
  if (held_back)
    severity = Severity::warning;
  else
    ++(severity == Severity::violation ? tally.failed : tally.warned);
  if (severity == Severity::violation) ++violations_;
  const bool is_advice = severity == Severity::warning && !held_back;
  const FindingOrigin origin{.step = step_, .flow = flow_->number, .kind = is_advice ? FindingKind::advice : worth};
  const bool kept = room_.admit(rule.slot, origin);
  if (held_back && is_breach) note_held_back(rule, worth, kept ? findings_.size() : HeldBack::kNotKept);
  if (!kept) {
    ++dropped_;
    return;
  }
  if (worth == FindingKind::pending) held_back_.push_back(findings_.size());
  Finding finding{.rule = &rule,
                  .severity = severity,
                  .evidence = evidence,
                  .held_back = held_back,
                  .flow = flow_->id,
                  .sender = flow_->sides[static_cast<std::size_t>(message_.sender)],
                  .message = message_.index + 1,  // 0 for kNoMessage
                  .unanswered = message_.unanswered,
                  .frame = message_.frame,
                  .time_ns = message_.time_ns,
                  .offset = message_.begin + where.offset,
                  .length = where.length,
                  .expected = std::move(expected),
                  .actual = std::move(actual),
                  .explanation = std::move(explanation),
                  .occasion = occasion_,
                  .shown_by_case = for_case_};
  if (where.offset < message_.octets.size()) {
    const std::size_t length = std::min({where.length, message_.octets.size() - where.offset, kFindingOctets});
    const Octets octets = message_.octets.subspan(where.offset, length);
    finding.octets.assign(octets.begin(), octets.end());
  }
  place(finding, message_);
  findings_.push_back(std::move(finding));
  origins_.push_back(origin);
}

std::vector<RuleReason> Judge::reasons() const {
  std::vector<RuleReason> reasons;
  for (const Rule* rule : catalogue_->rules()) {
    const Tally& tally = tally_[rule->slot];
    if (tally.selected && !tally.reason.empty()) reasons.push_back({rule, tally.reason, tally.reason_step});
  }
  return reasons;
}

std::vector<RuleResult> Judge::rule_results() const {
  std::vector<RuleResult> results;
  results.reserve(catalogue_->rules().size());
  for (const Rule* rule : catalogue_->rules()) {
    const Tally& tally = tally_[rule->slot];
    if (!tally.selected) continue;
    const std::uint64_t held_back = tally.pending + tally.held_back;
    RuleResult result{.rule = rule,
                      .exercised = exercised_[rule->slot],
                      .failed = tally.failed,
                      .warned = tally.warned + held_back,
                      .held_back = held_back,
                      .inconclusive = tally.inconclusive,
                      .reason = tally.reason};
    conclude(result);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace wirelaw
