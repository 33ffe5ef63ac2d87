// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 9: the search of resources.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection search_rules() {
  return {};
}

}  // namespace wirelaw::umsp
