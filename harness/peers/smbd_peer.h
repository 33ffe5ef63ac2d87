// SPDX-License-Identifier: Apache-2.0
// The SMB Direct endpoint of the reference as a peer over RDMAP, in either role, with the applications of
// harness/peers/smbd_application.h.
//
// Settings, of either role: "one-credit" wants and gives one credit at a time, "small" announces the least sizes that a
// peer has to accept (MaxReceiveSize 128, MaxFragmentedSize 131,072).
#pragma once

#include "harness/peers/reference_peers.h"

namespace wirelaw::smbd {

extern const ReferencePeer kReferencePeer;

}  // namespace wirelaw::smbd
