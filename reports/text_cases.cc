// SPDX-License-Identifier: Apache-2.0
#include "reports/text_cases.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "reports/printable.h"
#include "reports/text_faults.h"

namespace wirelaw {
namespace {

std::string duration_of(const CaseResult& one) {
  return fmt::format("{:.3f} ms", static_cast<double>(one.duration_ns / 1000) / 1000.0);
}

void put_every_case(const std::vector<CaseResult>& cases, const Report& report, const Paint& paint, Output& out) {
  std::size_t widest = 0;
  for (const CaseResult& one : cases) widest = std::max(widest, one.id.size());
  widest = std::min<std::size_t>(widest, 56);
  std::string_view
      last_reason;  // a reason that many cases share in a row (a peer that cannot be reached) is written once
  for (const CaseResult& one : cases) {
    const std::string excuse =
        one.verdict == Verdict::fail ? standing_of(report.gate, Failure::Kind::test_case, one.id) : std::string();
    out.print("  {} {:<{}} {:>12}{}\n", paint(colour_of(one.verdict), fmt::format("{:<14}", to_string(one.verdict))),
              one.id, widest, duration_of(one), excuse.empty() ? "" : "  " + excuse);
    if (!one.reason.empty() && (one.verdict == Verdict::fail || one.reason != last_reason))
      out.print("      {}\n", wrapped(printable(one.reason), report.style.width, 6));
    last_reason = one.reason;
  }
}

bool is_plain_pass(const CaseResult& one) {
  return one.verdict == Verdict::pass && one.reason.empty();
}

// The cases without a verdict, or that passed with a note, by their reason.
void put_open_cases(const std::vector<CaseResult>& cases, Verdict verdict, const Report& report, const Paint& paint,
                    Output& out) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::pair<std::string_view, std::vector<std::string_view>>> by_reason;
  for (const CaseResult& one : cases) {
    if (one.verdict != verdict || is_plain_pass(one)) continue;
    auto found = std::ranges::find_if(by_reason, [&](const auto& known) { return known.first == one.reason; });
    if (found == by_reason.end()) found = by_reason.insert(by_reason.end(), {one.reason, {}});
    found->second.push_back(one.id);
  }
  for (const auto& [reason, ids] : by_reason) {
    const std::size_t named = std::min(kNamed, ids.size());
    std::string text = fmt::format("{}", fmt::join(std::span(ids).first(named), ", "));
    if (named < ids.size()) text += fmt::format(" and {} more", ids.size() - named);
    out.print("  {} {}\n", paint(colour_of(verdict), fmt::format("{:<14}", to_string(verdict))),
              wrapped(text, report.style.width, 17));
    if (!reason.empty()) out.print("      {}\n", wrapped(printable(reason), report.style.width, 6));
  }
}

}  // namespace

// The cases that did not pass, or passed with a note; all cases if the style asks for it.
void put_cases(std::string_view title, const std::vector<CaseResult>& cases, const Report& report, const Paint& paint,
               Output& out) {
  if (cases.empty() || (!report.style.verbose && std::ranges::all_of(cases, is_plain_pass))) return;
  out.print("\n{}\n", title);
  if (report.style.verbose) return put_every_case(cases, report, paint, out);
  std::vector<CaseResult> failed;
  std::ranges::copy_if(cases, std::back_inserter(failed),
                       [](const CaseResult& one) { return one.verdict == Verdict::fail; });
  put_every_case(failed, report, paint, out);
  put_open_cases(cases, Verdict::inconclusive, report, paint, out);
  put_open_cases(cases, Verdict::skipped, report, paint, out);
  put_open_cases(cases, Verdict::pass, report, paint, out);
}

}  // namespace wirelaw
