// SPDX-License-Identifier: Apache-2.0
// Makes an endpoint that conforms or commits deviations.
#pragma once

#include <memory>

#include "reference/rdmap/deviations.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {

// Takes the arguments of Endpoint's constructors. Deviations that the role cannot commit are ignored.
std::unique_ptr<Endpoint> make_endpoint(Role role, const Options& options, Buffers& buffers,
                                        const Deviations& deviations = {});

}  // namespace wirelaw::rdmap
