// SPDX-License-Identifier: Apache-2.0
#include "reports/ruling.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "reports/report.h"

namespace wirelaw {
namespace {

constexpr std::string_view kLetters = "ABRV";  // the pages number their rulings with these

// "RDMAP/A-63", "RAMCLOUD/R42": the protocol in capitals, a letter, an optional hyphen, digits, an optional letter.
bool is_ruling(std::string_view word) {
  const std::size_t slash = word.find('/');
  if (slash == 0 || slash == std::string_view::npos) return false;
  if (!std::ranges::all_of(word.substr(0, slash), [](char c) { return c >= 'A' && c <= 'Z'; })) return false;
  word.remove_prefix(slash + 1);
  if (word.empty() || kLetters.find(word.front()) == std::string_view::npos) return false;
  word.remove_prefix(1);
  if (word.starts_with('-')) word.remove_prefix(1);
  if (!word.empty() && word.back() >= 'a' && word.back() <= 'z') word.remove_suffix(1);
  return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::vector<std::string> rulings_in(std::string_view note) {
  constexpr std::string_view kBetween = " ,.;:()\"";
  std::vector<std::string> rulings;
  while (!note.empty()) {
    const std::string_view word = note.substr(0, note.find_first_of(kBetween));
    if (is_ruling(word)) rulings.emplace_back(word);
    note.remove_prefix(std::min(word.size() + 1, note.size()));
  }
  return rulings;
}

std::string ruling_of(const Finding& finding) {
  if (finding.severity != Severity::warning || finding.held_back) return {};
  const std::vector<std::string> rulings = rulings_in(finding.rule->note);
  if (rulings.empty()) return std::string(finding.rule->note);
  return fmt::format("{} (conformance/{}/INTERPRETATIONS.md)", fmt::join(rulings, ", "), protocol_of(*finding.rule));
}

}  // namespace wirelaw
