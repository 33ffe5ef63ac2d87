// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 3.3: operands.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection operand_rules() {
  return {};
}

void judge_padding(Judge&, const Seen&) {}

}  // namespace wirelaw::umsp
