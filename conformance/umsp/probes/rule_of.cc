// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/probes/rule_of.h"

#include <string>
#include <unordered_map>

#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

constinit const Rule kUnknown{"UMSP-unknown",       Level::must,      Role::any,           "",
                              Observable::stimulus, Evidence::octets, "A name of no rule."};

std::unordered_map<std::string_view, const Rule*> by_id() {
  constexpr std::string_view kPrefix = "UMSP-";
  std::unordered_map<std::string_view, const Rule*> rules;
  for (const UmspSection& section : sections())
    for (const Rule* const one : section.rules.rules) rules.emplace(one->id.substr(kPrefix.size()), one);
  return rules;
}

}  // namespace

const Rule& rule(std::string_view id) {
  static const auto kRules = by_id();
  const auto found = kRules.find(id);
  return found == kRules.end() ? kUnknown : *found->second;
}

}  // namespace wirelaw::umsp
