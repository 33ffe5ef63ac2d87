// SPDX-License-Identifier: Apache-2.0
// The checks of DDP, in the order in which an observer asks for them.
#include "conformance/rdmap/rules.h"

namespace wirelaw::rdmap {

std::span<const RuleList> ddp_rules() {
  return {};
}

bool judge_ddp_header(Judge&, Seen& seen) {
  const auto segment = ddp::decode(seen.fpdu.ulpdu());
  if (!segment) return false;
  seen.header = segment->header;
  seen.payload = segment->payload;
  seen.control = decode_control(seen.header.rsvd_ulp);
  seen.row = find_opcode(seen.control.opcode);
  return true;
}

void judge_ddp_message(Judge&, Seen&) {}

}  // namespace wirelaw::rdmap
