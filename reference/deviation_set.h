// SPDX-License-Identifier: Apache-2.0
// The faults that an endpoint can commit, in the form common to all protocols of the reference. A protocol has an
// enumeration of its faults, and a table in its order, which names the role that commits each. Where a role does not
// say enough, the table has an enumeration of its own (bits, so that both may commit a fault).
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "reference/role.h"

namespace wirelaw {

// The same for the sides of a protocol that are no roles, which are bits.
template <typename Side>
requires(!std::is_same_v<Side, Role>) constexpr bool includes(Side sides, Side side) {
  return (static_cast<unsigned>(sides) & static_cast<unsigned>(side)) != 0;
}

template <typename DeviationType, typename SideType = Role>
struct DeviationRow {
  using Deviation = DeviationType;
  using Side = SideType;

  Deviation deviation;
  std::string_view name;  // name of the enumerator, with hyphens
  Side role;              // the side that can commit it, or on which it is visible
  std::string_view rule;  // section, heading or field of the text that it breaks
  std::string_view text;
};

// True if a table is in the order of its enumeration, as DeviationSet requires.
template <typename Row, std::size_t Count>
constexpr bool in_order(const std::array<Row, Count>& table) {
  for (std::size_t i = 0; i < Count; ++i)
    if (static_cast<std::size_t>(table[i].deviation) != i) return false;
  return true;
}

// A set of faults, empty by default. `Table` is the function that returns a protocol's table of `Count` rows.
template <auto Table, std::size_t Count>
class DeviationSet {
 public:
  using Row = typename std::invoke_result_t<decltype(Table)>::value_type;
  using Deviation = typename Row::Deviation;
  using Side = typename Row::Side;

  static std::span<const Row> all() { return Table(); }
  static const Row& describe(Deviation deviation) { return Table()[static_cast<std::size_t>(deviation)]; }
  static std::optional<Deviation> named(std::string_view name) {
    const auto table = Table();
    const auto found = std::ranges::find(table, name, &Row::name);
    if (found == table.end()) return std::nullopt;
    return found->deviation;
  }

  DeviationSet() = default;
  DeviationSet(std::initializer_list<Deviation> list) {
    for (const Deviation deviation : list) add(deviation);
  }

  DeviationSet& add(Deviation deviation) {
    set_.set(static_cast<std::size_t>(deviation));
    return *this;
  }
  bool has(Deviation deviation) const { return set_.test(static_cast<std::size_t>(deviation)); }
  bool empty() const { return set_.none(); }
  // The deviations that an endpoint of this role can commit, or that affect its side.
  DeviationSet of(Side role) const {
    DeviationSet some;
    for (const Row& row : Table())
      if (has(row.deviation) && includes(row.role, role)) some.add(row.deviation);
    return some;
  }

 private:
  std::bitset<Count> set_;
};

}  // namespace wirelaw
