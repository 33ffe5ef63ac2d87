// SPDX-License-Identifier: Apache-2.0
// The cases of RDMAP's messages (RFC 5040, 4.1, 5.1 to 5.3, 5.5, 6.1, 7.2), one function a section.
#pragma once

#include <algorithm>

#include "conformance/rdmap/message_cases.h"

namespace wirelaw::rdmap {

SectionCases control_field_cases();   // s4_1_cases.cc
SectionCases write_cases();           // s5_1_cases.cc
SectionCases read_cases();            // s5_2_cases.cc
SectionCases send_cases();            // s5_3_cases.cc
SectionCases ordering_cases();        // s5_5_cases.cc
SectionCases initialization_cases();  // s6_1_cases.cc
SectionCases validation_cases();      // s7_2_cases.cc

}  // namespace wirelaw::rdmap
