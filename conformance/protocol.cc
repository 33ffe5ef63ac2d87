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
  // A user's scripts replace the protocol's own cases, but need its controls.
  const Protocol* const own = find_protocol(protocol.name);
  std::vector<const Case*> controls;
  for (const std::string_view id : protocol.controls) {
    const auto is_control = [&](const Case& one) { return one.id == id && one.iut == iut && one.needs <= application; };
    auto cases = protocol.cases();
    auto found = std::ranges::find_if(cases, is_control);
    if (found == cases.end() && own != nullptr) {
      cases = own->cases();
      found = std::ranges::find_if(cases, is_control);
    }
    if (found != cases.end()) controls.push_back(&*found);
  }
  return controls;
}

}  // namespace wirelaw
