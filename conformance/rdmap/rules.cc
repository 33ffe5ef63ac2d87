// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/rules.h"

namespace wirelaw::rdmap {

std::span<const RuleList> rdmap_rules() {
  return {};
}

}  // namespace wirelaw::rdmap
