// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.3 to 6.5: control, memory and the rest.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection control_rules() {
  return {};
}

}  // namespace wirelaw::umsp
