// SPDX-License-Identifier: Apache-2.0
// Compares two results by rules, cases, and kinds of findings, for users, for programs, and for gates.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/output.h"
#include "reports/result_file.h"

namespace wirelaw {

inline constexpr std::string_view kDifferenceSchema = "wirelaw-diff/1";

// A verdict shows something if it is pass, warned, fail or unstable. Skipped, inconclusive, not-exercised and
// not-applicable show nothing, and neither does a verdict that the result does not have.
//   worse, better   both show something: fail is worse than warned, and warned than pass
//   fresh ("new")   shown now, and not before
//   gone            shown before, and not now: whether it was fixed is not known
//   unstable        the later result holds several runs, which disagree; the earlier one did not
//   more, fewer     number of findings of one kind, which both results have
enum class Becoming : std::uint8_t { worse, better, fresh, gone, unstable, more, fewer, same };
inline constexpr std::size_t kBecomings = 8;
std::string_view to_string(Becoming becoming);  // "worse", "better", "new", …

struct Change {
  Becoming becoming = Becoming::same;
  bool fails = false;         // fails the gate
  std::string id;             // id of the rule or case; for the run: "run"
  std::string before, after;  // verdicts, "absent", "fail in 1 of 3"
  std::string reason = {};    // from the later result, in one line
};

// Findings of one rule and severity.
struct FindingChange {
  Becoming becoming = Becoming::same;
  bool fails = false;
  std::string rule, severity;
  std::uint64_t before = 0, after = 0;  // findings that the results kept
  std::string reason = {};              // from the first finding in the later result
};

struct ComparedResult {
  std::string file, version, end;
  std::uint64_t exit_status = 0;
  std::string peer = {};  // for a test: its URI
};

struct Difference {
  ComparedResult before, after;
  std::vector<Change> run, rules, cases;  // only those that differ, in the order of the later result
  std::vector<FindingChange> findings;    // likewise, by rule
  std::array<std::uint64_t, kBecomings> counts{};

  std::uint64_t count(Becoming which) const { return counts[static_cast<std::size_t>(which)]; }
  bool fails() const;
};

// `strict`: rules and cases that are gone fail the gate as well.
Difference difference_of(std::string before_name, const ResultFile& before, std::string after_name,
                         const ResultFile& after, bool strict = false);

// States that the results are from different peers. Empty if they are not, or if that is unknown.
std::string note_on_peers(const Difference& difference);

// "WORSE: 2 worse, 1 new (exit status 1)"
std::string bottom_line(const Difference& difference);

void write_difference_text(const Difference& difference, std::size_t width, Output& out);
void write_difference_json(const Difference& difference, std::string_view version, Output& out);
void write_difference_html(const Difference& difference, std::string_view version, Output& out);

}  // namespace wirelaw
