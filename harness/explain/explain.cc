// SPDX-License-Identifier: Apache-2.0
#include "harness/explain/explain.h"

#include <algorithm>

#include "harness/explain/rulings.h"
#include "harness/explain/traces.h"
#include "harness/peers/breaches.h"
#include "harness/peers/reference_peers.h"
#include "harness/runner.h"
#include "reports/ruling.h"

namespace wirelaw {
namespace {

bool is_same_word(std::string_view one, std::string_view other) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(one, other, {}, small, small);
}

std::string_view word_of(Role role, const Protocol& protocol) {
  if (role == Role::any) return "any";
  return role == Role::initiator ? protocol.initiator : protocol.responder;
}

bool rests_on(const Rule& rule, const Ruling& ruling) {
  return std::ranges::count(rulings_in(rule.note), ruling.id) > 0;
}

ShowingCase showing(const Case& one, const Protocol& protocol) {
  return {.id = one.id,
          .role = word_of(one.iut, protocol),
          .purpose = one.purpose,
          .application = one.needs == Service::none ? std::string_view() : word_of(one.needs)};
}

// The role that breaks the rule: the one in the breach, or any that can commit the deviation and is bound by the rule.
Role breaker_of(const Breach& breach, const DeviationName& deviation) {
  for (const Role one : {breach.where.who, deviation.role})
    if (one != Role::any) return one;
  return breach.rule->subject;
}

std::vector<BreakingFault> faults_of(const Rule& rule, const Protocol& protocol) {
  const ReferencePeer* const peer = find_reference_peer(protocol.name);
  if (peer == nullptr) return {};
  const std::vector<DeviationName> names = peer->deviations();
  std::vector<BreakingFault> faults;
  for (const BreachList list : breaches_of(protocol.name))
    for (const Breach& breach : list) {
      if (breach.rule != &rule || breach.deviation >= names.size()) continue;
      const DeviationName& name = names[breach.deviation];
      faults.push_back({.name = name.name,
                        .role = word_of(breaker_of(breach, name), protocol),
                        .text = name.text,
                        .severity = to_string(breach.where.severity),
                        .condition = breach.where.given});
    }
  return faults;
}

Explanation explanation_of(const Rule& rule, const Protocol& protocol) {
  Explanation one{.kind = Explanation::Kind::rule,
                  .protocol = protocol.name,
                  .rule = &rule,
                  .subject = word_of(rule.subject, protocol),
                  .traces = traces_that_break(protocol.name, rule.id),
                  .faults = faults_of(rule, protocol)};
  for (const Ruling& ruling : all_rulings())
    if (ruling.protocol == protocol.name && rests_on(rule, ruling)) one.rulings.push_back(ruling);
  for (const Case& tested : protocol.cases())
    if (std::ranges::count(tested.rules, &rule) > 0) one.cases.push_back(showing(tested, protocol));
  return one;
}

Explanation explanation_of(const Case& tested, const Protocol& protocol) {
  return {.kind = Explanation::Kind::test_case,
          .protocol = protocol.name,
          .cases = {showing(tested, protocol)},
          .rules = tested.rules};
}

Explanation explanation_of(const Ruling& ruling, const Protocol& protocol) {
  Explanation one{.kind = Explanation::Kind::ruling, .protocol = protocol.name, .rulings = {ruling}};
  for (const Rule* rule : protocol.catalogue().rules())
    if (rests_on(*rule, ruling)) one.rules.push_back(rule);
  return one;
}

// A ruling is named by its id, "EFA/A-64", or by the part after the slash, which several protocols may have.
bool is_named(const Ruling& ruling, std::string_view word) {
  const std::string_view id = ruling.id;
  return is_same_word(id, word) || is_same_word(id.substr(id.find('/') + 1), word);
}

template <class Each>
void for_each_protocol(const Protocol* only, const Each& each) {
  for (const Protocol* protocol : protocols())
    if (only == nullptr || protocol == only) each(*protocol);
}

}  // namespace

std::vector<Explanation> explain(std::string_view word, const Protocol* only) {
  std::vector<Explanation> found;
  for_each_protocol(only, [&](const Protocol& protocol) {
    for (const Rule* rule : protocol.catalogue().rules())
      if (is_same_word(rule->id, word)) found.push_back(explanation_of(*rule, protocol));
    for (const Ruling& ruling : all_rulings())
      if (ruling.protocol == protocol.name && is_named(ruling, word)) found.push_back(explanation_of(ruling, protocol));
    for (const Case& tested : protocol.cases())
      if (is_same_word(tested.id, word)) found.push_back(explanation_of(tested, protocol));
  });
  return found;
}

std::vector<std::string> names_to_explain(const Protocol* only) {
  std::vector<std::string> names;
  for_each_protocol(only, [&](const Protocol& protocol) {
    for (const Rule* rule : protocol.catalogue().rules()) names.emplace_back(rule->id);
    for (const Ruling& ruling : all_rulings())
      if (ruling.protocol == protocol.name) names.push_back(ruling.id);
    for (const Case& tested : protocol.cases()) names.emplace_back(tested.id);
  });
  return names;
}

}  // namespace wirelaw
