// SPDX-License-Identifier: Apache-2.0
// How a rule is known to be able to fail: a deliberate fault of the reference (a deviation) breaks it. A breach is
// listed in the file that declares the rule, and the tests derive from all of them what has to be reported where:
//
//   constexpr Breach kBreaches[] = {
//       {Deviation::ack_five_octets, kAckHoldsBothFields},
//       {Deviation::ack_unasked, kServerAcksWhenAsked, {.who = Role::responder, .severity = Severity::warning}}};
//
// or, where several deviations break a rule:
//
//   using enum Deviation;
//   constexpr auto kBreaches = breach_table(
//       broken_by(kAckHoldsBothFields, {ack_five_octets}),
//       broken_by(kServerAcksWhenAsked, {ack_unasked, ack_wrong_channel}, {.severity = Severity::warning}));
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/rule.h"
#include "conformance/verdict.h"

namespace wirelaw {

// What a breach needs to be seen.
struct BreachWhere {
  Role who = Role::any;  // in which role the deviating endpoint breaks it
  Severity severity = Severity::violation;
  std::string_view given = {};  // the circumstances that it needs, as the protocol's tests name them
};

struct Breach {
  using Where = BreachWhere;

  template <class Deviation>
  constexpr Breach(Deviation which, const Rule& what, Where where_ = {})
      : deviation(static_cast<unsigned>(which)), rule(&what), where(where_) {}

  constexpr Breach(unsigned which, const BrokenBy& by, const Rule& what)
      : deviation(which), rule(&what), where{by.who, by.severity, by.given} {}

  unsigned deviation;  // enumerator of the protocol's Deviation
  const Rule* rule;
  Where where;
};
using BreachList = std::span<const Breach>;
// What breaks these rules by the rows of their sheets.
std::vector<Breach> breaches_of(std::span<const Rule* const> rules);

// What breaks a rule: each of these deviations.
template <class Deviation, std::size_t N>
constexpr std::array<Breach, N> broken_by(const Rule& rule, const Deviation (&deviations)[N],
                                          Breach::Where where = {}) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<Breach, N>{Breach(deviations[I], rule, where)...};
  }
  (std::make_index_sequence<N>{});
}

// The breaches of several rules in one array.
template <std::size_t... N>
constexpr auto breach_table(const std::array<Breach, N>&... rules) {
  constexpr std::size_t kAll = (N + ...);
  std::array<const Breach*, kAll> all{};
  std::size_t next = 0;
  const auto add = [&](const auto& some) {
    for (const Breach& one : some) all[next++] = &one;
  };
  (add(rules), ...);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<Breach, kAll>{*all[I]...};
  }
  (std::make_index_sequence<kAll>{});
}

}  // namespace wirelaw
