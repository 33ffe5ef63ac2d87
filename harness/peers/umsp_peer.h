// SPDX-License-Identifier: Apache-2.0
// The node of UMSP of the reference as a peer. Its address is the IP address at which it is reached: a node that
// listens at every address of its machine has that of the first connection.
//
// The responder serves: it takes sessions and work without a session, is a control point for whoever asks, and its
// virtual machine offers what reference/umsp/vm/offered.h lists. Whom it has to ask by itself it dials at port 2110, or
// what its parameter `port` sets.
//
// The initiator, for each trigger: begins a job, whose control point it is itself or, with the setting "remote-jcp",
// the node that it was triggered for; opens a session there, works in the memory that it is given (as many times as
// asked, with so many octets), closes the session and completes the job. It gives up at the first that fails.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/peers/reference_peers.h"

namespace wirelaw::umsp {

extern const ReferencePeer kReferencePeer;

}  // namespace wirelaw::umsp
