// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: emulated atomics.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s3_3_atomic_rules() {
  return {};
}

void judge_atomic_request(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
