// SPDX-License-Identifier: Apache-2.0
// The responder of harness/peers/rdmap_peer.h upon verbs. A consumer of verbs does not learn whether a Send was
// solicited, so that no echo is; and siw registers no memory of no octets, so that three buffers are advertised there.
#pragma once

#include <csignal>

#include "harness/lab/verbs_connection.h"
#include "harness/peers/peer_application.h"

namespace wirelaw::lab {

// Serves at an address and port until `stopped`. Prints a line when it listens.
Result<> respond(const std::string& host, const std::string& port, Application application,
                 const volatile std::sig_atomic_t& stopped);

}  // namespace wirelaw::lab
