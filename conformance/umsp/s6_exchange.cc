// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6: instructions between VMs.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection exchange_rules() {
  return {};
}

void judge_exchange(Judge&, const Seen&) {}

}  // namespace wirelaw::umsp
