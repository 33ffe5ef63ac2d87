// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/applicability.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/certify/features.h"

namespace wirelaw {
namespace {

std::string why_not(const Rule& rule, const Protocol& owner, const Declaration& declared, Role tested) {
  if (rule.level == Level::obsolete) return "the specification itself has superseded it";
  if (!includes(rule.subject, tested)) return fmt::format("it binds the {}", word_of(owner, rule.subject));
  if (rule.observable == Observable::none) return "it cannot be observed";
  if (rule.observable == Observable::api) return "it is visible only above the wire";
  if (const FeatureRow* const row = condition_of(owner.name, rule, tested);
      row != nullptr && !declared.declares(row->feature))
    return fmt::format("{} is not declared", row->feature);
  return {};
}

bool has_case(const Rule& rule, const Protocol& owner, Role tested) {
  return std::ranges::any_of(owner.cases(), [&](const Case& one) {
    return one.iut == tested && std::ranges::find(one.rules, &rule) != one.rules.end();
  });
}

// For a rule that has no case for the tested role.
Asked out_of_reach(const Rule& rule, const Protocol& owner, Role tested) {
  const std::string_view role = word_of(owner, tested);
  if (rule.observable == Observable::trace)
    return {Demand::incidental, fmt::format("judged in what it sends: no case of the role {} is about it", role)};
  if (has_case(rule, owner, other(tested)))
    return {Demand::not_testable, fmt::format("only cases of the role {} show it", word_of(owner, other(tested)))};
  return {Demand::not_testable, "no case shows it"};
}

}  // namespace

Asked asked_of(const Rule& rule, const Protocol& owner, const Declaration& declared, Role tested) {
  if (std::string why = why_not(rule, owner, declared, tested); !why.empty())
    return {Demand::not_applicable, std::move(why)};
  if (&owner != declared.protocol) return {Demand::supporting, fmt::format("of {}, below", owner.name)};
  if (rule.level == Level::should || rule.level == Level::should_not) return {Demand::recommended, {}};
  if (rule.level == Level::may) return {Demand::optional, {}};
  if (!has_case(rule, owner, tested)) return out_of_reach(rule, owner, tested);
  if (const FeatureRow* const row = condition_of(owner.name, rule, tested))
    return {Demand::conditional, fmt::format("{} is declared", row->feature)};
  return {Demand::mandatory, {}};
}

std::string_view to_string(Demand demand) {
  static constexpr std::array<std::string_view, 8> kNames{"mandatory",    "conditional",   "recommended",
                                                          "optional",     "supporting",    "incidental",
                                                          "not-testable", "not-applicable"};
  return kNames[static_cast<std::size_t>(demand)];
}

}  // namespace wirelaw
