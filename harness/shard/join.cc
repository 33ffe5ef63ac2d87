// SPDX-License-Identifier: Apache-2.0
#include "harness/shard/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

#include "conformance/judge.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

// One entry of a list of one of the shares.
struct Entry {
  std::size_t share = 0;
  std::size_t at = 0;
};

// The entries of all shares in the order of their places; `place_of` gives that of one.
template <class ListOf, class PlaceOf>
std::vector<Entry> in_order(const std::vector<Share>& shares, const ListOf& list_of, const PlaceOf& place_of) {
  std::vector<Entry> entries;
  for (std::size_t share = 0; share < shares.size(); ++share)
    for (std::size_t at = 0; at < list_of(shares[share]).size(); ++at) entries.push_back({share, at});
  std::ranges::stable_sort(entries, {}, [&](const Entry& one) { return place_of(shares[one.share], one.at); });
  return entries;
}

bool have_the_same_rules(const Share& one, const Share& other) {
  return std::ranges::equal(one.rules, other.rules, {}, &RuleResult::rule, &RuleResult::rule);
}

void add_counts(const RuleResult& from, RuleResult& to) {
  to.exercised += from.exercised;
  to.failed += from.failed;
  to.warned += from.warned;
  to.held_back += from.held_back;
  to.inconclusive += from.inconclusive;
}

// True if the data that every share reads are the same.
bool is_the_same(const SharedInput& one, const SharedInput& other) {
  return one.input.name == other.input.name && one.input.frames == other.input.frames &&
         one.input.octets == other.input.octets && one.input.completeness == other.input.completeness &&
         one.fingerprint == other.fingerprint && one.problems.size() == other.problems.size() &&
         one.is_live == other.is_live;
}

class Joining {
 public:
  Joining(std::vector<Share> shares, const JoinLimits& limits) : shares_(std::move(shares)), limits_(limits) {}

  tl::expected<Share, std::string> all() {
    for (const Share& one : shares_)
      if (!have_the_same_rules(shares_.front(), one))
        return tl::make_unexpected(std::string("their rules are not the same"));
    join_rules();
    join_reasons();
    join_findings();
    join_flows();
    join_cases();
    if (auto joined = join_inputs(); !joined) return tl::make_unexpected(joined.error());
    for (const Share& one : shares_) {
      to_.judged += one.judged;
      to_.iut_seen |= one.iut_seen;
      to_.kinds.add(one.kinds);
    }
    return std::move(to_);
  }

 private:
  void join_rules();
  void join_reasons();
  void join_findings();
  void join_flows();
  void join_cases();
  tl::expected<void, std::string> join_inputs();
  tl::expected<void, std::string> join_input(SharedInput& from);

  std::vector<Share> shares_;
  const JoinLimits& limits_;
  Share to_;
};

void Joining::join_rules() {
  for (const RuleResult& one : shares_.front().rules) to_.rules.push_back({.rule = one.rule});
  for (const Share& share : shares_)
    for (std::size_t i = 0; i < share.rules.size(); ++i) add_counts(share.rules[i], to_.rules[i]);
}

// Keeps the first reason of each rule.
void Joining::join_reasons() {
  std::map<RuleSlot, const SharedReason*> first;
  for (const Share& share : shares_)
    for (const SharedReason& one : share.reasons) {
      const SharedReason*& known = first[one.rule->slot];
      if (known == nullptr || one.place < known->place) known = &one;
    }
  for (const RuleResult& one : to_.rules)
    if (const auto found = first.find(one.rule->slot); found != first.end()) to_.reasons.push_back(*found->second);
}

void Joining::join_findings() {
  const auto entries = in_order(
      shares_, [](const Share& share) -> const auto& { return share.findings; },
      [](const Share& share, std::size_t at) { return share.found[at].place; });
  RuleSlot slots = 0;
  for (const RuleResult& one : to_.rules) slots = std::max(slots, one.rule->slot);
  FindingRoom room(limits_.judge, std::size_t{slots} + 1);
  std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t>, std::uint64_t> flows;  // renumbered
  for (const Share& share : shares_) to_.findings_dropped += share.findings_dropped;
  for (const Entry& one : entries) {
    Finding& finding = shares_[one.share].findings[one.at];
    SharedFinding found = shares_[one.share].found[one.at];
    found.flow = flows.try_emplace({one.share, found.place.input, found.flow}, flows.size() + 1).first->second;
    if (room.admit(finding.rule->slot, {.step = found.place.step, .flow = found.flow, .kind = found.kind})) {
      to_.findings.push_back(std::move(finding));
      to_.found.push_back(found);
    } else {
      ++to_.findings_dropped;
    }
  }
}

// Keeps the Checker's order. Flows without a verdict may take half the list.
void Joining::join_flows() {
  const auto entries = in_order(
      shares_, [](const Share& share) -> const auto& { return share.flows; },
      [](const Share& share, std::size_t at) { return share.flow_ends[at]; });
  for (const Share& share : shares_) {
    to_.flows_dropped += share.flows_dropped;
    for (std::size_t i = 0; i < to_.flows_dropped_as.size(); ++i) to_.flows_dropped_as[i] += share.flows_dropped_as[i];
  }
  std::size_t unjudged = 0;
  for (const Entry& one : entries) {
    FlowResult& flow = shares_[one.share].flows[one.at];
    if (to_.flows.size() >= limits_.listed_flows || (flow.protocol.empty() && ++unjudged > limits_.listed_flows / 2)) {
      ++to_.flows_dropped;
      ++to_.flows_dropped_as[static_cast<std::size_t>(flow.state)];
      continue;
    }
    to_.flows.push_back(std::move(flow));
    to_.flow_ends.push_back(shares_[one.share].flow_ends[one.at]);
  }
}

void Joining::join_cases() {
  const auto entries = in_order(
      shares_, [](const Share& share) -> const auto& { return share.cases; },
      [](const Share& share, std::size_t at) { return share.case_places[at]; });
  for (const Entry& one : entries) {
    to_.cases.push_back(std::move(shares_[one.share].cases[one.at]));
    to_.case_places.push_back(shares_[one.share].case_places[one.at]);
  }
}

tl::expected<void, std::string> Joining::join_inputs() {
  std::vector<SharedInput*> inputs;
  for (Share& share : shares_)
    for (SharedInput& one : share.inputs) inputs.push_back(&one);
  std::ranges::stable_sort(inputs, {}, &SharedInput::place);
  for (SharedInput* one : inputs)
    if (auto joined = join_input(*one); !joined) return joined;
  // Entries that do not fit into one list.
  std::size_t listed = 0;
  for (SharedInput& one : to_.inputs)
    std::erase_if(one.problems, [&](const SharedProblem& problem) {
      const bool has_room = problem.stops || listed < limits_.problems;
      (has_room ? listed : one.problems_dropped) += 1;
      return !has_room;
    });
  return {};
}

tl::expected<void, std::string> Joining::join_input(SharedInput& from) {
  if (to_.inputs.empty() || to_.inputs.back().place != from.place) {
    to_.inputs.push_back(std::move(from));
    return {};
  }
  SharedInput& to = to_.inputs.back();
  if (from.is_live && to.input.name == from.input.name) {
    to.input.frames += from.input.frames;
    to.input.octets += from.input.octets;
    return {};
  }
  if (!is_the_same(to, from))
    return tl::make_unexpected(fmt::format("they have not read the same of {}", printable(to.input.name)));
  to.shares += from.shares;
  to.octets += from.octets;
  to.associations += from.associations;
  to.cut += from.cut;
  return {};
}

}  // namespace

JudgeLimits limits_of_share(const JudgeLimits& limits, std::size_t rules) {
  constexpr std::size_t kKinds = 4;
  JudgeLimits of_share = limits;
  if (limits.findings < JudgeLimits::kUnlimited - kKinds * rules) of_share.findings += kKinds * rules;
  return of_share;
}

tl::expected<Share, std::string> join(std::vector<Share> shares, const JoinLimits& limits) {
  return Joining(std::move(shares), limits).all();
}

bool fits(const SharedInput& input, const RoomOfOne& room) {
  return input.shares == 1 || (input.octets <= room.octets && input.associations < room.associations);
}

Results results_of(Share share) {
  Results results{.rules = std::move(share.rules),
                  .findings = std::move(share.findings),
                  .findings_dropped = share.findings_dropped,
                  .cases = std::move(share.cases),
                  .flows = std::move(share.flows),
                  .flows_dropped = share.flows_dropped,
                  .flows_dropped_as = share.flows_dropped_as};
  for (const SharedReason& one : share.reasons) {
    const auto rule = std::ranges::find(results.rules, one.rule, &RuleResult::rule);
    if (rule != results.rules.end()) rule->reason = one.reason;
  }
  for (RuleResult& one : results.rules) conclude(one);
  for (SharedInput& one : share.inputs) {
    results.inputs.push_back(std::move(one.input));
    for (SharedProblem& problem : one.problems) results.problems.push_back(std::move(problem.problem));
    results.problems_dropped += one.problems_dropped;
    std::ranges::move(one.runs, std::back_inserter(results.runs));
  }
  return results;
}

}  // namespace wirelaw
