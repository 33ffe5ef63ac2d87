// SPDX-License-Identifier: Apache-2.0
// Prints the input and the coverage of a run, in a few lines of text.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "reports/report.h"
#include "reports/text_style.h"

namespace wirelaw {

void put_summary(const Report& report, const Paint& paint, Output& out);

// "2 fail, 49 pass", for rules or cases. Without `every`, leaves out those that were not exercised or are not
// applicable.
template <class Each>
std::string verdict_counts(const std::vector<Each>& results, bool every, const Paint& paint) {
  static constexpr std::array kOrder{Verdict::fail,    Verdict::warned,        Verdict::inconclusive,  Verdict::pass,
                                     Verdict::skipped, Verdict::not_exercised, Verdict::not_applicable};
  std::string text;
  for (const Verdict verdict : kOrder) {
    const auto count = std::ranges::count(results, verdict, &Each::verdict);
    const bool says = verdict != Verdict::not_exercised && verdict != Verdict::not_applicable;
    if (count == 0 || !(says || every)) continue;
    text += text.empty() ? "" : ", ";
    text += paint(colour_of(verdict), fmt::format("{} {}", count, to_string(verdict)));
  }
  return text.empty() ? "none was judged" : text;
}

}  // namespace wirelaw
