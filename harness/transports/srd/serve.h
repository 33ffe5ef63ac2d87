// SPDX-License-Identifier: Apache-2.0
// A reference peer at an SRD queue pair, or one that connects from there. The device does the RDMA.
#pragma once

#include <memory>
#include <tl/expected.hpp>

#include "harness/transports/service.h"
#include "harness/transports/srd/device.h"

namespace wirelaw {

// `place` is where it listens, or the complete address that it connects to. In the second case it ignores other
// senders, and it is an error if nothing there takes packets.
tl::expected<std::unique_ptr<PeerService>, Refusal> make_srd_service(const ServeRequest& request,
                                                                     const SrdPlace& place);

}  // namespace wirelaw
