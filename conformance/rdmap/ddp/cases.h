// SPDX-License-Identifier: Apache-2.0
// The cases of DDP (RFC 5041), one function a section.
#pragma once

#include <algorithm>

#include "conformance/rdmap/message_cases.h"

namespace wirelaw::rdmap {

SectionCases ddp_control_cases();        // s4_1_cases.cc
SectionCases ddp_tagged_cases();         // s4_2_cases.cc
SectionCases ddp_data_transfer_cases();  // s5_cases.cc
SectionCases ddp_version_cases();        // s6_2_cases.cc
SectionCases ddp_validation_cases();     // s7_1_cases.cc

}  // namespace wirelaw::rdmap
