// SPDX-License-Identifier: Apache-2.0
#include "conformance/protocol.h"

#include <algorithm>

#include "conformance/efa/efa.h"
#include "conformance/ramcloud/ramcloud.h"
#include "conformance/rdmap/rdmap.h"

namespace wirelaw {

std::span<const Protocol* const> protocols() {
  static constexpr const Protocol* kProtocols[] = {&ramcloud::kProtocol, &rdmap::kProtocol, &efa::kProtocol};
  return kProtocols;
}

const Protocol* find_protocol(std::string_view name) {
  const auto all = protocols();
  const auto found = std::ranges::find(all, name, [](const Protocol* one) { return one->name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace wirelaw
