// SPDX-License-Identifier: Apache-2.0
// Makes an endpoint that conforms or commits deviations.
#pragma once

#include <memory>

#include "reference/smbd/deviations.h"
#include "reference/smbd/endpoint.h"

namespace wirelaw::smbd {

// Takes the arguments of Endpoint's constructor. Deviations that the role cannot commit are ignored.
std::unique_ptr<Endpoint> make_endpoint(Role role, const Options& options, Registrar& registrar,
                                        const Deviations& deviations = {});

}  // namespace wirelaw::smbd
