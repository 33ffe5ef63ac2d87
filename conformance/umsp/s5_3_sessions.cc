// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.3: sessions are opened.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection session_rules() {
  return {};
}

}  // namespace wirelaw::umsp
