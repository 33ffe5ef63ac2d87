// SPDX-License-Identifier: Apache-2.0
// The server with faults (deviations.h): it overrides each step of the protocol that a fault concerns.
#pragma once

#include <memory>

#include "reference/ramcloud/deviations.h"
#include "reference/ramcloud/server.h"

namespace wirelaw::ramcloud {

// Makes a server with the deviations that a server can commit; a plain server if there are none.
std::unique_ptr<Server> make_server(const Options& options, std::uint64_t seed, const Deviations& deviations);

}  // namespace wirelaw::ramcloud
