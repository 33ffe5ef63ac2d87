// SPDX-License-Identifier: Apache-2.0
// Conversations of honest SMB Direct endpoints over an RDMA transport that loses nothing: with a peer that a script
// plays (corpora/formats/smbd_steps.h), or with each other. Oracles: an honest endpoint breaks no rule whatever its
// peer does, keeps to its memory, and what honest endpoints send each other always has a receive, and arrives as it
// was.
#pragma once

#include "fuzz/damaged_capture.h"
#include "reference/octets/octets.h"
#include "reference/smbd/role.h"

namespace wirelaw::fuzz {

// `honest`: initiator or listener, whose peer is scripted; or both.
void run_smbd_conversation(smbd::Role honest, Octets input);
// Runs both. What they send also goes into a capture: iWARP, or RoCEv2 if the input selects it.
void run_smbd_pair(Octets input, DamagedCapture* capture);

}  // namespace wirelaw::fuzz
