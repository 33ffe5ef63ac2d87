// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.1: RDMA-Read based data transfer.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s4_1_rules() {
  return {};
}

void judge_longread_message(Judge&, const SeenPacket&, Conversation&) {}

void judge_longread_write(Judge&, const SeenPacket&, Conversation&) {}

void finish_reads(Judge&, Conversation&) {}

}  // namespace wirelaw::efa
