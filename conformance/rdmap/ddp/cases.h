// SPDX-License-Identifier: Apache-2.0
// The cases of DDP (RFC 5041), one function a section.
#pragma once

#include <algorithm>

#include "conformance/rdmap/probes/message_cases.h"

namespace wirelaw::rdmap {

std::vector<Case> ddp_control_cases();        // ddp_control_field_cases.cc
std::vector<Case> ddp_tagged_cases();         // tagged_header_cases.cc
std::vector<Case> ddp_data_transfer_cases();  // data_transfer_cases.cc
std::vector<Case> ddp_version_cases();        // streams_cases.cc
std::vector<Case> ddp_validation_cases();     // validation_cases.cc

}  // namespace wirelaw::rdmap
