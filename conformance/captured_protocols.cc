// SPDX-License-Identifier: Apache-2.0
// The protocols that captures may hold: those of protocols.inc, and what carries some of them and has neither rules nor
// cases of its own.
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
