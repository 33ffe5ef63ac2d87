// SPDX-License-Identifier: Apache-2.0
#include "conformance/protocol.h"

#include <algorithm>

namespace wirelaw {

const Protocol* find_protocol(std::string_view name) {
  const auto all = protocols();
  const auto found = std::ranges::find(all, name, [](const Protocol* one) { return one->name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace wirelaw
