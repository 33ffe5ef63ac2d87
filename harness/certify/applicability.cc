// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/applicability.h"

#include <fmt/format.h>

#include <array>

#include "harness/certify/features.h"

namespace wirelaw {
namespace {

std::string why_not(const Rule& rule, const Protocol& owner, const Declaration& declared, Role tested) {
  if (rule.level == Level::obsolete) return "the specification itself has superseded it";
  if (rule.subject != Role::any && rule.subject != tested)
    return fmt::format("it binds the {}", word_of(owner, rule.subject));
  if (rule.observable == Observable::none) return "it cannot be observed";
  if (rule.observable == Observable::api) return "it is visible only above the wire";
  if (const FeatureRow* const row = condition_of(owner.name, rule); row != nullptr && !declared.declares(row->feature))
    return fmt::format("{} is not declared", row->feature);
  return {};
}

}  // namespace

Asked asked_of(const Rule& rule, const Protocol& owner, const Declaration& declared, Role tested) {
  if (std::string why = why_not(rule, owner, declared, tested); !why.empty())
    return {Demand::not_applicable, std::move(why)};
  if (&owner != declared.protocol) return {Demand::supporting, fmt::format("of {}, below", owner.name)};
  if (rule.level == Level::should || rule.level == Level::should_not) return {Demand::recommended, {}};
  if (rule.level == Level::may) return {Demand::optional, {}};
  if (const FeatureRow* const row = condition_of(owner.name, rule))
    return {Demand::conditional, fmt::format("{} is declared", row->feature)};
  return {Demand::mandatory, {}};
}

std::string_view to_string(Demand demand) {
  static constexpr std::array<std::string_view, 6> kNames{"mandatory", "conditional", "recommended",
                                                          "optional",  "supporting",  "not-applicable"};
  return kNames[static_cast<std::size_t>(demand)];
}

}  // namespace wirelaw
