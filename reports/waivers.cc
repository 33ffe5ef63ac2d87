// SPDX-License-Identifier: Apache-2.0
#include "reports/waivers.h"

#include <algorithm>
#include <set>

#include "reports/toml_fields.h"

namespace wirelaw {
namespace {

Waiver read_waiver(TomlFields fields) {
  const std::string rule = fields.text("rule"), test_case = fields.text("case");
  if (rule.empty() == test_case.empty())
    fields.fail(fields.line(), "a [[waiver]] names one rule = \"…\", or one case = \"…\"");
  Waiver waiver{.is_of_case = rule.empty(),
                .id = rule.empty() ? test_case : rule,
                .reason = fields.needed_text("reason"),
                .owner = fields.needed_text("owner"),
                .until = {},
                .link = fields.text("link"),
                .line = fields.line()};
  const auto until = fields.date("until");
  if (!until) fields.fail(fields.line(), "a [[waiver]] needs until = its last day, for example 2027-01-31");
  if (until)
    waiver.until = std::chrono::sys_days{std::chrono::year{until->year} / std::chrono::month{until->month} /
                                         std::chrono::day{until->day}};
  fields.close();
  return waiver;
}

}  // namespace

tl::expected<Waivers, std::string> parse_waivers(const std::string& name, std::string_view toml) {
  const auto document = parse_toml(name, toml);
  if (!document) return tl::make_unexpected(document.error());
  Waivers waivers{.file = name, .entries = {}};
  std::string error;
  TomlFields top(name, *document, "the file", error);
  if (top.text("schema") != kWaiversSchema) top.fail(1, fmt::format("does not say schema = \"{}\"", kWaiversSchema));
  std::set<std::string> seen;
  if (const toml::array* const list = top.tables("waiver"))
    for (const toml::node& node : *list) {
      Waiver one = read_waiver({name, *node.as_table(), "a [[waiver]]", error});
      if (error.empty() && !seen.insert(one.id).second)
        top.fail(one.line, fmt::format("{} is waived a second time", printable(one.id)));
      if (!error.empty()) break;
      waivers.entries.push_back(std::move(one));
    }
  top.close();
  if (!error.empty()) return tl::make_unexpected(error);
  return waivers;
}

WaiverAccount account_of(const Waivers& waivers, std::chrono::sys_days today, const FailedFacts& failed) {
  WaiverAccount account;
  const auto has_failed = [&](const Waiver& one) {
    return one.is_of_case ? std::ranges::count(failed.cases, one.id, &FailedFacts::Case::id) > 0
                          : std::ranges::count(failed.rules, one.id) > 0;
  };
  for (const Waiver& one : waivers.entries) {
    if (!one.holds(today))
      account.expired.push_back(&one);
    else if (!has_failed(one))
      account.unused.push_back(&one);
    else
      (one.is_of_case ? account.cases : account.rules).emplace(one.id, &one);
  }
  const auto named_rules = account.rules, named_cases = account.cases;
  for (const FailedFacts::Case& one : failed.cases) {
    const Waiver* by = nullptr;
    const bool covered = std::ranges::all_of(one.rules, [&](const std::string& rule) {
      if (std::ranges::count(failed.rules, rule) == 0) return true;
      const auto waived = named_rules.find(rule);
      if (waived != named_rules.end()) by = waived->second;
      return waived != named_rules.end();
    });
    if (covered && by != nullptr) account.cases.emplace(one.id, by);
  }
  for (const std::string& rule : failed.rules) {
    const Waiver* by = nullptr;
    const bool covered = std::ranges::all_of(failed.violations, [&](const FailedFacts::Violation& one) {
      if (one.rule != rule) return true;
      const auto waived = named_cases.find(one.in_case);
      if (waived != named_cases.end()) by = waived->second;
      return waived != named_cases.end();
    });
    if (covered && by != nullptr && !failed.is_full) account.rules.emplace(rule, by);
  }
  return account;
}

std::string to_string(std::chrono::sys_days day) {
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

}  // namespace wirelaw
