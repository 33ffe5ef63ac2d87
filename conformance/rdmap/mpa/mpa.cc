// SPDX-License-Identifier: Apache-2.0
// The checks of MPA, in the order in which an observer asks for them.
#include "conformance/rdmap/rules.h"

namespace wirelaw::rdmap {

std::span<const RuleList> mpa_rules() {
  return {};
}

void judge_start_frame(Judge&, Connection&, Direction&, const mpa::StartFrame&) {}
void judge_no_start_frame(Judge&, Connection&, Direction&) {}
void judge_agreement(Judge&, Connection&) {}

bool judge_fpdu(Judge&, Seen& seen) {
  return !seen.connection.agreement.crc || seen.fpdu.crc_holds();
}

}  // namespace wirelaw::rdmap
