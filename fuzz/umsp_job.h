// SPDX-License-Identifier: Apache-2.0
// Jobs of three honest nodes of UMSP over connections that they make themselves: one initiates, one executes, one is
// the control point. Steps (corpora/formats/umsp_steps.h) control their applications and the delivery of their
// messages. Oracles: no node breaks a rule on any connection, and each keeps to its limits.
#pragma once

#include "fuzz/damaged_capture.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// The capture also contains the traffic of one connection, selected by the input's first octet.
void run_umsp_job(Octets input, DamagedCapture* capture);

}  // namespace wirelaw::fuzz
