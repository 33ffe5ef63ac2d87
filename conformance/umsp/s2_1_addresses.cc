// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 2.1 and 3.4: 128-bit addresses.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection address_rules() {
  return {};
}

void judge_address(Judge&, Octets, OctetRange) {}

}  // namespace wirelaw::umsp
