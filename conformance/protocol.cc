// SPDX-License-Identifier: Apache-2.0
#include "conformance/protocol.h"

#include <algorithm>

namespace wirelaw {

const Protocol* find_protocol(std::string_view name) {
  const auto all = protocols();
  const auto found = std::ranges::find(all, name, [](const Protocol* one) { return one->name; });
  return found == all.end() ? nullptr : *found;
}

std::vector<const Case*> controls_of(const Protocol& protocol, Role iut, Service application) {
  const auto cases = protocol.cases();
  std::vector<const Case*> controls;
  for (const std::string_view id : protocol.controls) {
    const auto found = std::ranges::find(cases, id, &Case::id);
    if (found != cases.end() && found->iut == iut && found->needs <= application) controls.push_back(&*found);
  }
  return controls;
}

}  // namespace wirelaw
