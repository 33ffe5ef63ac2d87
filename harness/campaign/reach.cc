// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/reach.h"

#include <algorithm>
#include <set>

namespace wirelaw::campaign {
namespace {

constexpr std::size_t kMostNames = 4096;  // an IUT may send any number of them

void count(Reach::Names& names, std::string_view name, std::uint64_t run, bool is_kept) {
  auto found = names.find(name);
  if (found == names.end()) {
    if (names.size() >= kMostNames) return;
    found = names.emplace(name, Reached{.first = run}).first;
  }
  ++found->second.inputs;
  found->second.kept += is_kept ? 1 : 0;
}

void add(Reach::Names& to, const Reach::Names& from) {
  for (const auto& [name, reached] : from) {
    const auto [there, is_new] = to.emplace(name, reached);
    if (is_new) continue;
    there->second.inputs += reached.inputs;
    there->second.kept += reached.kept;
    there->second.first = std::min(there->second.first, reached.first);
  }
}

Json names_json(const Reach::Names& names) {
  Json json = Json::object();
  for (const auto& [name, reached] : names)
    json[name] = {{"inputs", reached.inputs}, {"first", reached.first}, {"corpus", reached.kept}};
  return json;
}

Reach::Names names_of(const Json& json, const char* list) {
  Reach::Names names;
  const auto found = json.is_object() ? json.find(list) : json.end();
  if (found == json.end() || !found->is_object()) return names;
  for (const auto& [name, reached] : found->items())
    if (names.size() < kMostNames)
      names.emplace(name, Reached{.inputs = count_in(reached, "inputs"),
                                  .first = count_in(reached, "first"),
                                  .kept = count_in(reached, "corpus")});
  return names;
}

}  // namespace

void Reach::take(const Trial& trial, std::uint64_t run, bool is_kept) {
  std::set<std::string_view> said;
  for (const Step& step : trial.steps)
    if (step.from_iut) said.insert(step.kind);
  for (const std::string_view kind : said) count(states, kind, run, is_kept);
  for (const Rule* rule : trial.exercised) count(rules, rule->id, run, is_kept);
}

void Reach::add(const Reach& other) {
  campaign::add(states, other.states);
  campaign::add(rules, other.rules);
}

std::size_t rules_reached(const Reach& reach, std::span<const Rule* const> rules) {
  return static_cast<std::size_t>(
      std::ranges::count_if(rules, [&](const Rule* one) { return reach.rules.contains(one->id); }));
}

Json to_json(const Reach& reach) {
  return {{"states", names_json(reach.states)}, {"rules", names_json(reach.rules)}};
}

Reach reach_of(const Json& json) {
  return {.states = names_of(json, "states"), .rules = names_of(json, "rules")};
}

}  // namespace wirelaw::campaign
