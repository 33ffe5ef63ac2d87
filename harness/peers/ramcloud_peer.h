// SPDX-License-Identifier: Apache-2.0
// The RAMCloud RPC server and client of the reference, each with an application, as peers.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/peers/reference_peers.h"

namespace wirelaw::ramcloud {

tl::expected<MakePeer, std::string> peer_maker(const PeerOptions& options);
std::vector<DeviationName> deviation_names();

extern const ReferencePeer kReferencePeer;

}  // namespace wirelaw::ramcloud
