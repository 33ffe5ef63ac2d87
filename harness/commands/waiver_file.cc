// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/waiver_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conformance/protocol.h"
#include "harness/commands/suggest.h"
#include "reports/printable.h"
#include "reports/result_file.h"

namespace wirelaw {
namespace {

std::vector<std::string> rule_ids() {
  std::vector<std::string> ids;
  for (const Protocol* protocol : protocols())
    for (const Rule* rule : protocol->catalogue().rules()) ids.emplace_back(rule->id);
  return ids;
}

std::vector<std::string> case_ids() {
  std::vector<std::string> ids;
  for (const Protocol* protocol : protocols())
    for (const Case& one : protocol->cases()) ids.emplace_back(one.id);
  return ids;
}

}  // namespace

tl::expected<Waivers, std::string> waivers_in(const std::string& name, const std::string& toml) {
  auto waivers = parse_waivers(name, toml);
  if (!waivers) return waivers;
  const std::vector<std::string> rules = rule_ids(), cases = case_ids();
  for (const Waiver& one : waivers->entries) {
    if (one.is_of_case && one.id.starts_with("script/")) continue;  // a user's own; see `test --script`
    const std::vector<std::string>& known = one.is_of_case ? cases : rules;
    if (std::ranges::count(known, one.id) > 0) continue;
    return tl::make_unexpected(fmt::format("{}: line {}: there is no {} {}{}", printable(name), one.line,
                                           one.is_of_case ? "case" : "rule", printable(one.id),
                                           suggestion(one.id, known)));
  }
  return waivers;
}

tl::expected<Waivers, std::string> read_waivers(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return tl::make_unexpected(text.error());
  return waivers_in(path, *text);
}

std::chrono::sys_days today() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

}  // namespace wirelaw
