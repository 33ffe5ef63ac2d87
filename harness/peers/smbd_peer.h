// SPDX-License-Identifier: Apache-2.0
// The reference's SMB Direct endpoint as a peer over RDMAP, in either role, with the applications in
// harness/peers/smbd_application.h.
//
// Settings, for either role:
//   one-credit           wants and gives one credit at a time
//   small                announces the least sizes that a peer has to accept: MaxReceiveSize 128,
//                        MaxFragmentedSize 131,072
//   windows-like         as a listener, refuses a PreferredSendSize above 8136
//                        with STATUS_INSUFFICIENT_RESOURCES
//   frugal-1 … frugal-4  grants so many credits at most, with its answer if one is due
//   keeps-last-credit    waits at its last credit while its peer has the credits that it wants
//   prompt-grants        replaces each credit as soon as it is spent
#pragma once

#include "harness/peers/reference_peers.h"

namespace wirelaw::smbd {

extern const ReferencePeer kReferencePeer;

}  // namespace wirelaw::smbd
