// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.4: buffering.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection buffering_rules() {
  return {};
}

}  // namespace wirelaw::umsp
