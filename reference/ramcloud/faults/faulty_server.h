// SPDX-License-Identifier: Apache-2.0
// The server with deliberate faults (deviations.h): each step of the protocol that a fault concerns is overridden.
#pragma once

#include <memory>

#include "reference/ramcloud/deviations.h"
#include "reference/ramcloud/server.h"

namespace wirelaw::ramcloud {

// A server with those of the deviations that a server can have; a plain server if there are none.
std::unique_ptr<Server> make_server(const Options& options, std::uint64_t seed, const Deviations& deviations);

}  // namespace wirelaw::ramcloud
