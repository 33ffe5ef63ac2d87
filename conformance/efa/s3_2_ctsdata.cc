// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.7: CTSDATA.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s3_2_ctsdata_rules() {
  return {};
}

void judge_ctsdata(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
