// SPDX-License-Identifier: Apache-2.0
// The protocols that captures may contain: those of protocols.inc, and protocols that only carry them and have neither
// rules nor cases of their own.
#include <vector>

#include "conformance/protocol.h"
#include "conformance/roce/roce.h"

namespace wirelaw {

std::span<const Protocol* const> captured_protocols() {
  static const std::vector<const Protocol*> kAll = [] {
    const auto rows = protocols();
    std::vector<const Protocol*> all(rows.begin(), rows.end());
    all.push_back(&roce::kProtocol);
    return all;
  }();
  return kAll;
}

}  // namespace wirelaw
