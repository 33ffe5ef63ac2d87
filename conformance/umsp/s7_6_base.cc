// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.6: base-displacement addressing.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection base_rules() {
  return {};
}

}  // namespace wirelaw::umsp
