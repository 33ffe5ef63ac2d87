// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: emulated writes.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s3_3_write_rules() {
  return {};
}

void judge_eager_write(Judge&, const SeenPacket&, Conversation&) {}

void judge_longcts_write(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
