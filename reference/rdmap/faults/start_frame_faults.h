// SPDX-License-Identifier: Apache-2.0
// Applies deviations to a start frame before it is sent.
#pragma once

#include "reference/mpa/start_frame.h"
#include "reference/rdmap/deviations.h"

namespace wirelaw::rdmap {

void apply_faults(const Deviations& deviations, mpa::EnhancedData& data);
// Changes the private data to be sent, and its frame.
void apply_faults(const Deviations& deviations, mpa::StartFrame& frame, OctetBuffer& private_data);

}  // namespace wirelaw::rdmap
