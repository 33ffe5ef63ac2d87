// SPDX-License-Identifier: Apache-2.0
// The client with faults (deviations.h): it overrides each step of the protocol that a fault concerns.
#pragma once

#include <memory>

#include "reference/ramcloud/client.h"
#include "reference/ramcloud/deviations.h"

namespace wirelaw::ramcloud {

// Makes a client with the deviations that a client can commit; a plain client if there are none.
std::unique_ptr<Client> make_client(const Options& options, std::uint64_t seed, const Deviations& deviations,
                                    PeerId server = 0);

}  // namespace wirelaw::ramcloud
