// SPDX-License-Identifier: Apache-2.0
// The table of a protocol's deviations, as it is written: one row for each. The row names its enumerator; the name that
// users type is the same with hyphens. What the deviation changes in an outgoing message is in the row too.
//
//   constexpr auto kRows = std::to_array<Row>({
//       {reserved1_sent, Role::any, "flags.reserved1", "Sends DATA with flags.reserved1.",
//        draft(kData, [](Draft& draft) { draft.header.flags.reserved1 = true; })},
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "reference/deviation_set.h"

namespace wirelaw {

struct NoEdit {};
template <class DeviationType, class EditType = NoEdit, class SideType = Role>
struct DeviationEntry {
  using Info = DeviationRow<DeviationType, SideType>;
  using Edit = EditType;

  DeviationType deviation;
  SideType role;
  std::string_view rule;
  std::string_view text;
  EditType edit = {};
};

// The enumerator as the compiler prints it: "… [with auto kEnumerator = wirelaw::efa::Deviation::nack_twice; …]".
template <auto kEnumerator>
consteval std::string_view enumerator_text() {
  constexpr std::string_view kFunction = __PRETTY_FUNCTION__;
  constexpr std::size_t kEnd = kFunction.find_first_of(";]", kFunction.find("kEnumerator = "));
  constexpr std::size_t kBegin = kFunction.rfind(':', kEnd) + 1;
  return kFunction.substr(kBegin, kEnd - kBegin);
}
template <auto kEnumerator>
inline constexpr auto kHyphenated = [] {
  std::array<char, enumerator_text<kEnumerator>().size()> name{};
  std::ranges::replace_copy(enumerator_text<kEnumerator>(), name.begin(), '_', '-');
  return name;
}();

// The rows with their names. They must be in the order of the enumeration.
template <class Entry, std::size_t Count>
consteval auto described(const std::array<Entry, Count>& rows) {
  using Info = typename Entry::Info;
  for (std::size_t i = 0; i < Count; ++i)
    if (static_cast<std::size_t>(rows[i].deviation) != i) throw "a row is not in the order of the enumeration";
  const auto named = [&]<std::size_t... I>(std::index_sequence<I...>) {
    constexpr auto kName = []<std::size_t Index>() {
      constexpr const auto& kText = kHyphenated<static_cast<typename Info::Deviation>(Index)>;
      return std::string_view(kText.data(), kText.size());
    };
    return std::array<Info, Count>{
        {{rows[I].deviation, kName.template operator()<I>(), rows[I].role, rows[I].rule, rows[I].text}...}};
  };
  return named(std::make_index_sequence<Count>());
}

// What each row changes in an outgoing message, in the order of the enumeration.
template <class Entry, std::size_t Count>
consteval auto edits_of(const std::array<Entry, Count>& rows) {
  std::array<typename Entry::Edit, Count> edits{};
  for (std::size_t i = 0; i < Count; ++i) edits[i] = rows[i].edit;
  return edits;
}

}  // namespace wirelaw
