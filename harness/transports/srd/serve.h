// SPDX-License-Identifier: Apache-2.0
// A reference peer at an SRD queue pair, or one that connects from there. The device does the RDMA.
#pragma once

#include <memory>
#include <tl/expected.hpp>

#include "harness/transports/service.h"
#include "harness/transports/srd/device.h"

namespace wirelaw {

// `place` is where it listens, or the whole of where it connects: others are passed over then, and nobody who takes
// packets there is an error.
tl::expected<std::unique_ptr<PeerService>, Refusal> make_srd_service(const ServeRequest& request,
                                                                     const SrdPlace& place);

}  // namespace wirelaw
