// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7 to 7.3 and 7.5: chains.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection chain_rules() {
  return {};
}

void judge_chain(Judge&, const Seen&) {}

}  // namespace wirelaw::umsp
