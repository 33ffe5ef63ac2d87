// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 4 to 4.2: responses.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection response_rules() {
  return {};
}

void judge_response(Judge&, const Seen&) {}

}  // namespace wirelaw::umsp
