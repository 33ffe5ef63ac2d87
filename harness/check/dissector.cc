// SPDX-License-Identifier: Apache-2.0
#include "harness/check/dissector.h"

#include <algorithm>

namespace wirelaw {

std::string_view dissector_of(const Protocol& protocol) {
  return protocol.dissector.empty() ? protocol.name : protocol.dissector;
}

const Protocol* find_by_dissector(std::span<const Protocol* const> known, std::string_view dissector) {
  const auto found = std::ranges::find(known, dissector, [](const Protocol* one) { return dissector_of(*one); });
  return found == known.end() ? nullptr : *found;
}

}  // namespace wirelaw
