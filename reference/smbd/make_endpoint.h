// SPDX-License-Identifier: Apache-2.0
// Makes an endpoint that commits deviations, or one that conforms.
#pragma once

#include <memory>

#include "reference/smbd/deviations.h"
#include "reference/smbd/endpoint.h"

namespace wirelaw::smbd {

// As the constructor of Endpoint; only those `deviations` count that its role can commit.
std::unique_ptr<Endpoint> make_endpoint(Role role, const Options& options, Registrar& registrar,
                                        const Deviations& deviations = {});

}  // namespace wirelaw::smbd
