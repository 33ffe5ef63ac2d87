// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.8: work without a session.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection zero_session_rules() {
  return {};
}

}  // namespace wirelaw::umsp
