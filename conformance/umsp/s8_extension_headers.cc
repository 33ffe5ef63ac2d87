// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 8: extension headers of all instructions.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection common_extension_rules() {
  return {};
}

}  // namespace wirelaw::umsp
