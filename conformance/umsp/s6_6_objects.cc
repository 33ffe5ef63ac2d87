// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.6: objects.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection object_rules() {
  return {};
}

}  // namespace wirelaw::umsp
