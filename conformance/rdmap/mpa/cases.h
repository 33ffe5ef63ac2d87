// SPDX-License-Identifier: Apache-2.0
// The cases of MPA, by section. Their rules are with the sections.
#pragma once

#include <span>

#include "conformance/case.h"

namespace wirelaw::rdmap {

std::vector<Case> mpa_framing_cases();      // 4.1, 4.4, 5, 6, 8
std::vector<Case> mpa_marker_cases();       // 4.2, 4.3
std::vector<Case> mpa_start_frame_cases();  // 7.1.1
std::vector<Case> mpa_startup_cases();      // 7.1.2
std::vector<Case> mpa_enhanced_cases();     // RFC 6581

}  // namespace wirelaw::rdmap
