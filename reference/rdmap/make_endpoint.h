// SPDX-License-Identifier: Apache-2.0
// Makes an endpoint that commits deviations, or one that conforms.
#pragma once

#include <memory>

#include "reference/rdmap/deviations.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {

// As the constructors of Endpoint; only those `deviations` count that its role can commit.
std::unique_ptr<Endpoint> make_endpoint(Role role, const Options& options, Buffers& buffers,
                                        const Deviations& deviations = {});

}  // namespace wirelaw::rdmap
