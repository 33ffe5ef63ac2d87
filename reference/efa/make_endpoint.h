// SPDX-License-Identifier: Apache-2.0
// Makes an EFA RDM endpoint with or without deviations.
#pragma once

#include <cstdint>
#include <memory>

#include "reference/efa/deviations.h"
#include "reference/efa/endpoint.h"

namespace wirelaw::efa {

// Without deviations, returns a plain Endpoint. The same seed, inputs and deviations give the same octets.
std::unique_ptr<Endpoint> make_endpoint(const Options& options, std::uint64_t seed, const Deviations& deviations = {});

}  // namespace wirelaw::efa
