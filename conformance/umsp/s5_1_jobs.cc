// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.1 and 5.6: jobs begin and end.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection job_rules() {
  return {};
}

}  // namespace wirelaw::umsp
