// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.7: the activity of nodes.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection activity_rules() {
  return {};
}

}  // namespace wirelaw::umsp
