// SPDX-License-Identifier: Apache-2.0
#include "harness/check/dissector.h"

#include <algorithm>

namespace wirelaw {
namespace {

// Dissectors that are not called as our protocols are.
struct Named {
  std::string_view protocol;
  std::string_view dissector;
};
constexpr Named kNames[] = {{"efa", "efa_rdm"}};

}  // namespace

std::string_view dissector_of(const Protocol& protocol) {
  const auto* const named = std::ranges::find(kNames, protocol.name, &Named::protocol);
  return named == std::end(kNames) ? protocol.name : named->dissector;
}

const Protocol* find_by_dissector(std::span<const Protocol* const> known, std::string_view dissector) {
  const auto found = std::ranges::find(known, dissector, [](const Protocol* one) { return dissector_of(*one); });
  return found == known.end() ? nullptr : *found;
}

}  // namespace wirelaw
