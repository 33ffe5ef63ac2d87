// SPDX-License-Identifier: Apache-2.0
// The cases of RDMAP's messages (RFC 5040, 4.1, 5.1 to 5.3, 5.5, 6.1, 7.2), one function a section.
#pragma once

#include <algorithm>

#include "conformance/rdmap/probes/message_cases.h"

namespace wirelaw::rdmap {

std::vector<Case> control_field_cases();   // control_field_cases.cc
std::vector<Case> write_cases();           // write_cases.cc
std::vector<Case> read_cases();            // read_cases.cc
std::vector<Case> send_cases();            // send_cases.cc
std::vector<Case> ordering_cases();        // ordering_cases.cc
std::vector<Case> initialization_cases();  // initialization_cases.cc
std::vector<Case> validation_cases();      // incoming_errors_cases.cc

}  // namespace wirelaw::rdmap
