// SPDX-License-Identifier: Apache-2.0
// The initiator of harness/peers/rdmap_peer.h upon verbs, one connection for each run.
#pragma once

#include "conformance/case.h"
#include "harness/lab/verbs_connection.h"

namespace wirelaw::lab {

// Does the rounds of a trigger (harness/peers/rdmap_peer.h) on a connection of its own. An error says which part of a
// round went wrong.
Result<> initiate(const std::string& host, const std::string& port, const TriggerRequest& request);

}  // namespace wirelaw::lab
