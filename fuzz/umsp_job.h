// SPDX-License-Identifier: Apache-2.0
// Jobs of three honest nodes of UMSP over connections that they make themselves: one initiates, one executes, one is
// the control point; a script (corpora/formats/umsp_steps.h) says what their applications do, and how what they send
// comes through. Oracles: none breaks a rule on any connection, and each keeps to its bounds.
#pragma once

#include "fuzz/damaged_capture.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// The capture also contains the traffic of one connection, selected by the input's first octet.
void run_umsp_job(Octets input, DamagedCapture* capture);

}  // namespace wirelaw::fuzz
