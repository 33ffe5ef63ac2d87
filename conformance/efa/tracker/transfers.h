// SPDX-License-Identifier: Apache-2.0
// Follows what the two sides of an exchange send after its request: CTS and CTSDATA (3.2), and the RECEIPT of the
// delivery complete requests (4.2).
#pragma once

#include <optional>

#include "conformance/efa/tracker/facts.h"
#include "conformance/efa/tracker/trace_state.h"

namespace wirelaw::efa {

CtsFact follow_cts(const SeenPacket& seen, TraceState& state);
CtsdataFact follow_ctsdata(const SeenPacket& seen, TraceState& state);
ReceiptFact follow_receipt(const SeenPacket& seen, TraceState& state);
// Returns the RECEIPT of an exchange of which data comes later. The exchange is not judged further.
std::optional<Mark> take_early_receipt(Exchange& exchange);

}  // namespace wirelaw::efa
