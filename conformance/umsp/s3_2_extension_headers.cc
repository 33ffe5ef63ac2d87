// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 3.2: extension headers.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {

UmspSection extension_header_rules() {
  return {};
}

void judge_extension_headers(Judge&, const Seen&) {}

}  // namespace wirelaw::umsp
