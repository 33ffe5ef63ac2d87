// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.1 and 6.2: memory is read, written and compared.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection memory_rules() {
  return {};
}

}  // namespace wirelaw::umsp
