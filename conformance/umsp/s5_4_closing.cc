// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.4: sessions are closed.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection closing_rules() {
  return {};
}

}  // namespace wirelaw::umsp
