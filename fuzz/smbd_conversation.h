// SPDX-License-Identifier: Apache-2.0
// Conversations of honest SMB Direct endpoints over an RDMA transport that loses nothing, either with a scripted peer
// (corpora/formats/smbd_steps.h) or with each other. Oracles: whatever its peer does, an honest endpoint breaks no rule
// and keeps to its memory limit. Messages between honest endpoints always find a receive, and arrive unchanged.
#pragma once

#include "fuzz/damaged_capture.h"
#include "reference/octets/octets.h"
#include "reference/role.h"

namespace wirelaw::fuzz {

// `honest`: initiator or listener, whose peer is scripted; or both.
void run_smbd_conversation(Role honest, Octets input);
// Runs both honest endpoints. The capture also gets their traffic: over iWARP, or over RoCEv2 if the input selects it.
void run_smbd_pair(Octets input, DamagedCapture* capture);

}  // namespace wirelaw::fuzz
