// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5: job management.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection management_rules() {
  return {};
}

void judge_management(Judge&, const Seen&) {}

}  // namespace wirelaw::umsp
