// SPDX-License-Identifier: Apache-2.0
// What deviations do to a Terminate that is about to be sent.
#pragma once

#include "reference/rdmap/deviations.h"
#include "reference/rdmap/terminate_builder.h"

namespace wirelaw::rdmap {

// As build_terminate().
OctetBuffer build_faulty_terminate(const Deviations& deviations, const ErrorCode& error, const Offender* offender);

}  // namespace wirelaw::rdmap
