// SPDX-License-Identifier: Apache-2.0
// The client with deliberate faults (deviations.h): each step of the protocol that a fault concerns is overridden.
#pragma once

#include <memory>

#include "reference/ramcloud/client.h"
#include "reference/ramcloud/deviations.h"

namespace wirelaw::ramcloud {

// A client with those of the deviations that a client can have; a plain client if there are none.
std::unique_ptr<Client> make_client(const Options& options, std::uint64_t seed, const Deviations& deviations,
                                    PeerId server = 0);

}  // namespace wirelaw::ramcloud
