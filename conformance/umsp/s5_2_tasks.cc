// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.2 and 5.5: tasks begin and end.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection task_rules() {
  return {};
}

}  // namespace wirelaw::umsp
