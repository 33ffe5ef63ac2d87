// SPDX-License-Identifier: Apache-2.0
// Applies deviations to a Terminate before it is sent.
#pragma once

#include "reference/rdmap/deviations.h"
#include "reference/rdmap/terminate_builder.h"

namespace wirelaw::rdmap {

// Same as build_terminate(), with deviations.
OctetBuffer build_faulty_terminate(const Deviations& deviations, const ErrorCode& error, const Offender* offender);

}  // namespace wirelaw::rdmap
