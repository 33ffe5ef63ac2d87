// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: what writes, reads and atomics have in common.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s3_3_general_rules() {
  return {};
}

void judge_buffers(Judge&, const SeenPacket&, Array) {}

void finish_one_sided(Judge&, Conversation&) {}

}  // namespace wirelaw::efa
