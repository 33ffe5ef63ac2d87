// SPDX-License-Identifier: Apache-2.0
// Rule sheets. A sheet is the table of the rules of one folder, in rules.h there. A check or a case names a rule by its
// id; an id that is in no included sheet does not compile:
//
//   struct AckRules : Words {
//     static constexpr std::string_view kPtAck = "RAMCloud RPC, PT_ACK";
//     static constexpr Rule kRules[] = {
//         {"RAMCLOUD-ack-13", should, server, kPtAck, trace, absence,
//          "A server sends an ACK in answer to a fragment that asks for it.", "RAMCLOUD/R16",
//          {{ack_unasked, warning}, {ack_wrong_channel, warning}}},
//     };
//   };
//
//   template <wirelaw::RuleId I>
//     requires wirelaw::ListedIn<wirelaw::ramcloud::AckRules, I>
//   struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::AckRules, I> {};
//
//   judge.require(rule<"RAMCLOUD-ack-13">, …);
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "conformance/rule.h"

namespace wirelaw {

// The rules of one sheet, in its order.
using RuleSheet = std::span<const Rule>;

// Short names for the rows. A protocol adds its deviations, and its own words for the two roles.
struct SheetWords {
  using enum Level;
  using enum Observable;
  using enum Evidence;
  using enum Severity;
  static constexpr Role any = Role::any;
};

// An id as a template argument.
struct RuleId {
  static constexpr std::size_t kLongest = 39;

  template <std::size_t N>
  requires(N <= kLongest + 1) consteval RuleId(const char (&id)[N]) : length(N - 1) { std::copy_n(id, N, text); }
  constexpr std::string_view view() const { return {text, length}; }

  char text[kLongest + 1] = {};
  std::size_t length;
};

// The index of the rule in the sheet. The number of rules if the id is not there.
template <class Sheet>
consteval std::size_t place_of(const RuleId& id) {
  return static_cast<std::size_t>(std::ranges::find(Sheet::kRules, id.view(), &Rule::id) - Sheet::kRules);
}
template <class Sheet, RuleId I>
concept ListedIn = place_of<Sheet>(I)
< std::size(Sheet::kRules);

template <class Sheet, RuleId I>
struct RuleIn {
  static constexpr const Rule& kRule = Sheet::kRules[place_of<Sheet>(I)];
};
// Each sheet specialises it for its ids.
template <RuleId I>
struct RuleOf;

template <RuleId I>
inline constexpr const Rule& rule = RuleOf<I>::kRule;

}  // namespace wirelaw
