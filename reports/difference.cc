// SPDX-License-Identifier: Apache-2.0
#include "reports/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace wirelaw {
namespace {

constexpr std::string_view kAbsent = "absent";

// The content of one result about a rule or a case.
struct Said {
  std::string verdict{kAbsent};
  std::string text{kAbsent};  // the verdict as text
  std::string reason = {};
};

// The rank of a verdict. Verdicts that show nothing have none.
int rank_of(std::string_view verdict) {
  constexpr std::string_view kRanked[] = {"fail", "unstable", "warned", "pass"};
  const auto found = std::ranges::find(kRanked, verdict);
  return found == std::end(kRanked) ? -1 : static_cast<int>(found - std::begin(kRanked));
}

bool shows(std::string_view verdict) {
  return rank_of(verdict) >= 0;
}

bool fails_gate(std::string_view verdict) {
  return verdict == "fail" || verdict == "unstable";
}

Becoming becoming_of(std::string_view before, std::string_view after) {
  if (before == after || (!shows(before) && !shows(after))) return Becoming::same;
  if (!shows(after)) return Becoming::gone;
  if (after == "unstable") return Becoming::unstable;
  if (!shows(before)) return Becoming::fresh;
  return rank_of(after) < rank_of(before) ? Becoming::worse : Becoming::better;
}

bool fails_gate(Becoming becoming, std::string_view before, std::string_view after, bool strict) {
  switch (becoming) {
    case Becoming::worse:
      return true;
    case Becoming::unstable:
      return before != "fail";  // a rule that failed before is no worse
    case Becoming::fresh:
      return fails_gate(after);
    case Becoming::gone:
      return strict;
    default:
      return false;
  }
}

// --- what a result contains about each id, in its order

class Account {
 public:
  void add(const std::string& id, const std::string& verdict, const std::string& reason) {
    const auto [at, is_new] = places_.try_emplace(id, entries_.size());
    if (is_new) entries_.push_back({.id = id});
    Entry& entry = entries_[at->second];
    entry.verdicts.push_back(verdict);
    if (entry.reason.empty() || verdict == "fail") entry.reason = reason;
  }
  // Adds everything that another result contains about the id.
  void add_all(const std::string& id, const Account& from) {
    const Entry& entry = from.entries_[from.places_.at(id)];
    for (const std::string& verdict : entry.verdicts) add(id, verdict, entry.reason);
  }
  bool has(const std::string& id) const { return places_.contains(id); }
  Said said_of(const std::string& id) const {
    const auto at = places_.find(id);
    if (at == places_.end()) return {};
    const Entry& entry = entries_[at->second];
    const auto shown = static_cast<std::size_t>(std::ranges::count_if(entry.verdicts, shows));
    const auto failed = static_cast<std::size_t>(std::ranges::count(entry.verdicts, "fail"));
    if (failed > 0 && failed < shown) return {"unstable", fmt::format("fail in {} of {}", failed, shown), entry.reason};
    const auto worst = std::ranges::min_element(entry.verdicts, {},
                                                [](const std::string& one) { return shows(one) ? rank_of(one) : 100; });
    return {*worst, *worst, entry.reason};
  }
  std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (const Entry& one : entries_) all.push_back(one.id);
    return all;
  }

 private:
  struct Entry {
    std::string id;
    std::vector<std::string> verdicts = {};
    std::string reason = {};
  };
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> places_;
};

std::string line_of(const ResultFile::Finding& one) {
  return fmt::format("{}expected {}, actual {}", one.frame > 0 ? fmt::format("frame {}: ", one.frame) : "",
                     one.expected, one.actual);
}

std::vector<const ResultFile::Finding*> findings_of(const ResultFile& result) {
  std::vector<const ResultFile::Finding*> all;
  for (const ResultFile::Finding& one : result.findings) all.push_back(&one);
  for (const ResultFile::Run& run : result.runs)
    for (const ResultFile::Finding& one : run.findings) all.push_back(&one);
  return all;
}

// Recorded runs give their own verdicts. The verdict over all captures together is used if no run has one, or if it is
// a fail and no run's is.
Account rules_of(const ResultFile& result) {
  std::unordered_map<std::string, std::string> reasons;
  for (const ResultFile::Finding* one : findings_of(result))
    if (one->severity == "violation") reasons.emplace(one->rule, line_of(*one));
  const auto reason_of = [&](const std::string& id) {
    const auto found = reasons.find(id);
    return found == reasons.end() ? std::string() : found->second;
  };
  Account of_runs, all;
  for (const ResultFile::Run& run : result.runs)
    for (const ResultFile::Rule& one : run.rules) of_runs.add(one.id, one.verdict, reason_of(one.id));
  for (const ResultFile::Rule& one : result.rules) {
    if (!of_runs.has(one.id) || (one.verdict == "fail" && !fails_gate(of_runs.said_of(one.id).verdict)))
      all.add(one.id, one.verdict, reason_of(one.id));
    else
      all.add_all(one.id, of_runs);
  }
  for (const std::string& id : of_runs.ids())
    if (!all.has(id)) all.add_all(id, of_runs);
  return all;
}

Account cases_of(const ResultFile& result) {
  Account all;
  const auto add = [&](const std::vector<ResultFile::Case>& cases) {
    for (const ResultFile::Case& one : cases) all.add(one.id, one.verdict, one.reason);
  };
  add(result.cases);
  for (const ResultFile::Run& run : result.runs) add(run.cases);
  return all;
}

std::vector<Change> changes_of(const Account& before, const Account& after, bool strict, Difference& difference) {
  std::vector<std::string> ids = after.ids();
  for (const std::string& id : before.ids())
    if (!after.has(id)) ids.push_back(id);
  std::vector<Change> changes;
  for (const std::string& id : ids) {
    const Said was = before.said_of(id), is = after.said_of(id);
    const Becoming becoming = becoming_of(was.verdict, is.verdict);
    ++difference.counts[static_cast<std::size_t>(becoming)];
    if (becoming != Becoming::same)
      changes.push_back({.becoming = becoming,
                         .fails = fails_gate(becoming, was.verdict, is.verdict, strict),
                         .id = id,
                         .before = was.text,
                         .after = is.text,
                         .reason = is.verdict == "pass" ? std::string() : is.reason});
  }
  return changes;
}

// --- findings by kind

using Kinds = std::map<std::pair<std::string, std::string>, std::pair<std::uint64_t, std::string>>;

Kinds kinds_of(const ResultFile& result) {
  Kinds kinds;
  for (const ResultFile::Finding* one : findings_of(result)) {
    auto& [count, first] = kinds[{one->rule, one->severity}];
    if (count++ == 0) first = line_of(*one);
  }
  return kinds;
}

std::vector<FindingChange> finding_changes(const ResultFile& before, const ResultFile& after, Difference& difference) {
  const Kinds was = kinds_of(before), is = kinds_of(after);
  Kinds all = is;
  all.insert(was.begin(), was.end());
  std::vector<FindingChange> changes;
  for (const auto& [kind, any] : all) {
    const auto old = was.find(kind), now = is.find(kind);
    FindingChange one{.rule = kind.first,
                      .severity = kind.second,
                      .before = old == was.end() ? 0 : old->second.first,
                      .after = now == is.end() ? 0 : now->second.first,
                      .reason = now == is.end() ? std::string() : now->second.second};
    one.becoming = one.before == 0           ? Becoming::fresh
                   : one.after == 0          ? Becoming::gone
                   : one.after > one.before  ? Becoming::more
                   : one.after == one.before ? Becoming::same
                                             : Becoming::fewer;
    one.fails = one.becoming == Becoming::fresh && one.severity == "violation";
    ++difference.counts[static_cast<std::size_t>(one.becoming)];
    if (one.becoming != Becoming::same) changes.push_back(std::move(one));
  }
  return changes;
}

// A run that was not completed shows less than one that was.
std::vector<Change> run_changes(const ResultFile& before, const ResultFile& after, Difference& difference) {
  if (before.end == after.end) return {};
  const bool worse = before.end == "complete";
  const bool better = after.end == "complete";
  const Becoming becoming = worse ? Becoming::worse : better ? Becoming::better : Becoming::same;
  ++difference.counts[static_cast<std::size_t>(becoming)];
  if (becoming == Becoming::same) return {};
  return {{.becoming = becoming, .fails = worse, .id = "run", .before = before.end, .after = after.end}};
}

ComparedResult compared(std::string name, const ResultFile& result) {
  const bool is_test = !result.cases.empty() && result.inputs.size() == 1;
  return {std::move(name), result.version, result.end, result.exit_status,
          is_test ? result.inputs.front() : std::string()};
}

}  // namespace

std::string_view to_string(Becoming becoming) {
  static constexpr std::array<std::string_view, kBecomings> kWords{"worse",    "better", "new",   "gone",
                                                                   "unstable", "more",   "fewer", "same"};
  return kWords[static_cast<std::size_t>(becoming)];
}

bool Difference::fails() const {
  const auto any = [](const auto& changes) {
    return std::ranges::any_of(changes, [](const auto& one) { return one.fails; });
  };
  return any(run) || any(rules) || any(cases) || any(findings);
}

Difference difference_of(std::string before_name, const ResultFile& before, std::string after_name,
                         const ResultFile& after, bool strict) {
  Difference difference{.before = compared(std::move(before_name), before),
                        .after = compared(std::move(after_name), after)};
  difference.run = run_changes(before, after, difference);
  difference.rules = changes_of(rules_of(before), rules_of(after), strict, difference);
  difference.cases = changes_of(cases_of(before), cases_of(after), strict, difference);
  difference.findings = finding_changes(before, after, difference);
  return difference;
}

std::string note_on_peers(const Difference& difference) {
  const std::string &was = difference.before.peer, &is = difference.after.peer;
  if (was.empty() || is.empty() || was == is) return {};
  return fmt::format("the results are of different peers, {} and {}", was, is);
}

std::string bottom_line(const Difference& difference) {
  std::string counts;
  for (std::size_t i = 0; i < kBecomings; ++i)
    if (difference.counts[i] > 0)
      counts +=
          fmt::format("{}{} {}", counts.empty() ? "" : ", ", difference.counts[i], to_string(static_cast<Becoming>(i)));
  const bool fails = difference.fails();
  return fmt::format("{}: {} (exit status {})", fails ? "WORSE" : "NOTHING WORSE",
                     counts.empty() ? "both results are empty" : counts, fails ? 1 : 0);
}

}  // namespace wirelaw
