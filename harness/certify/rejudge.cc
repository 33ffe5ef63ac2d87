// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/rejudge.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr std::string_view kByCases = "only cases decide, from the answer to a stimulus";
constexpr std::string_view kInconclusive = "the run itself was inconclusive";
constexpr std::string_view kSilence = "something never came, and only the run knows how long it waited";
constexpr std::string_view kBeside =
    "the verdict rests on the peer's maximum segment size, which recorded segments do not have";
constexpr std::string_view kIncomplete = "frames of the run are missing in its capture";

// Rules for which the run knew more about a connection than its octets.
constexpr std::string_view kBesideOctets[] = {"MPA-4.5-1", "MPA-4.5-2"};

class Comparison {
 public:
  Comparison(const CertifiedRun& run, const RecordedCapture& capture, Rejudged& all)
      : run_(run), capture_(capture), all_(all) {
    for (const RuleResult& one : capture.results.rules) offline_.emplace(one.rule->id, &one);
    for (const ResultFile::Finding& one : run.result.findings)
      if (one.shown_by == "case") ++(one.severity == "violation" ? violations_ : warnings_)[one.rule];
  }

  void compare() {
    if (capture_.fault) fault(*capture_.fault);
    for (const ResultFile::Rule& one : run_.result.rules) {
      const auto found = offline_.find(one.id);
      if (found == offline_.end())
        fault(fmt::format("{} is not a rule of this program", printable(one.id)));
      else
        compare(one, *found->second);
    }
    compare_with_record();
  }

 private:
  void compare(const ResultFile::Rule& live, const RuleResult& offline) {
    const Verdict again = offline.verdict;
    if (live.verdict == to_string(again) && again != Verdict::not_exercised) {
      ++all_.same;
    } else if (live.verdict == "inconclusive") {
      leave(live, kInconclusive);
    } else if (again == Verdict::fail || again == Verdict::warned) {
      // A case may have found worse.
      if (again == Verdict::warned && live.verdict == "fail" && violations_.contains(live.id))
        return leave(live, kByCases);
      if (again == Verdict::warned && live.verdict == "pass" && offline.rule->evidence != Evidence::octets)
        return leave(live, kSilence);
      mismatch(live, offline);
    } else if (live.verdict == "fail" || live.verdict == "warned") {
      if ((live.verdict == "fail" ? violations_ : warnings_).contains(live.id))
        leave(live, kByCases);
      else if (is_incomplete())
        leave(live, kIncomplete);
      else
        mismatch(live, offline);
    } else if (live.verdict == "pass") {
      if (again == Verdict::inconclusive)
        leave(live, kIncomplete);
      else if (again == Verdict::not_exercised && has_case(live.id))
        leave(live, kByCases);
      else if (again == Verdict::not_exercised && std::ranges::count(kBesideOctets, live.id) > 0)
        leave(live, kBeside);
      else
        mismatch(live, offline);
    } else if (offline.exercised > 0) {
      mismatch(live, offline);  // the recording states that the rule was not exercised
    }
  }

  // Compares the facts that the capture's last section states and its frames do not show.
  void compare_with_record() {
    if (capture_.results.runs.empty())
      return fault(fmt::format("{} does not contain the result of its run", run_.capture_file));
    const RecordedRun& record = capture_.results.runs.front();
    if (record.end != run_.result.end || static_cast<std::uint64_t>(record.exit_status) != run_.result.exit_status)
      fault(fmt::format("{} records its run as {}, status {}, but {} has: {}, status {}", run_.capture_file,
                        printable(record.end), record.exit_status, run_.result_file, printable(run_.result.end),
                        run_.result.exit_status));
    compare_verdicts(run_.result.rules, record.rules, [](const RuleResult& one) { return std::string(one.rule->id); });
    compare_verdicts(run_.result.cases, record.cases, [](const CaseResult& one) { return one.id; });
    compare_frames(record);
  }

  void compare_frames(const RecordedRun& record) {
    for (const ResultFile::Case& one : run_.result.cases) {
      const auto recorded = std::ranges::find(record.cases, one.id, &CaseResult::id);
      if (recorded != record.cases.end() &&
          (recorded->first_frame != one.first_frame || recorded->last_frame != one.last_frame))
        fault(fmt::format("case {}: {} gives it the frames {} to {}, but {} the frames {} to {}", printable(one.id),
                          run_.result_file, one.first_frame, one.last_frame, run_.capture_file, recorded->first_frame,
                          recorded->last_frame));
    }
    for (const CaseResult& one : record.cases)
      if (std::ranges::find(run_.result.cases, one.id, &ResultFile::Case::id) == run_.result.cases.end())
        fault(
            fmt::format("case {}: {} has it, but {} does not", printable(one.id), run_.capture_file, run_.result_file));
  }

  template <class Stated, class Recorded, class IdOf>
  void compare_verdicts(const std::vector<Stated>& stated, const std::vector<Recorded>& recorded, const IdOf& id_of) {
    std::unordered_map<std::string, std::string_view> verdicts;
    for (const Recorded& one : recorded) verdicts.emplace(id_of(one), to_string(one.verdict));
    for (const Stated& one : stated) {
      const auto found = verdicts.find(one.id);
      const bool was_idle = one.verdict == "not-exercised" || one.verdict == "not-applicable";
      if (found == verdicts.end() ? !was_idle : found->second != one.verdict)
        fault(fmt::format("{}: {} has '{}', but {} has '{}'", printable(one.id), run_.result_file,
                          printable(one.verdict), run_.capture_file,
                          found == verdicts.end() ? std::string_view("not-exercised") : found->second));
    }
  }

  bool has_case(const std::string& rule) const {
    return std::ranges::any_of(run_.result.cases, [&](const ResultFile::Case& one) {
      return one.verdict != "skipped" && std::ranges::count(one.rules, rule) > 0;
    });
  }
  bool is_incomplete() const {
    return std::ranges::any_of(capture_.results.inputs,
                               [](const Input& one) { return one.completeness != Completeness::complete; });
  }

  void leave(const ResultFile::Rule& one, std::string_view why) { all_.not_judged.emplace(one.id, why); }
  void mismatch(const ResultFile::Rule& live, const RuleResult& offline) {
    fault(fmt::format(
        "{}: the run's verdict is '{}', but its frames, judged again, give '{}' "
        "(exercised {}, failed {})",
        printable(live.id), printable(live.verdict), to_string(offline.verdict), offline.exercised, offline.failed));
  }
  void fault(std::string_view what) { all_.faults.push_back(fmt::format("run {}: {}", run_.number, what)); }

  const CertifiedRun& run_;
  const RecordedCapture& capture_;
  Rejudged& all_;
  std::unordered_map<std::string_view, const RuleResult*> offline_;
  std::unordered_map<std::string, std::size_t> violations_, warnings_;  // in cases, by rule
};

}  // namespace

void rejudge(const CertifiedRun& run, const RecordedCapture& capture, const std::string& peer, Rejudged& all) {
  Comparison(run, capture, all).compare();
  if (!capture.results.runs.empty() && capture.results.runs.front().peer != peer)
    all.faults.push_back(fmt::format("run {}: {} is of the peer {}, but the statement is of {}", run.number,
                                     run.capture_file, printable(capture.results.runs.front().peer), printable(peer)));
}

}  // namespace wirelaw
