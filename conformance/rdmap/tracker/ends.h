// SPDX-License-Identifier: Apache-2.0
// States facts about how the streams of a connection end. It judges nothing.
#pragma once

#include <array>

#include "conformance/rdmap/tracker/facts.h"

namespace wirelaw::rdmap {

// Called for each FPDU of `from`, with its length. Returns a fact if it is the first FPDU after a Terminate.
std::optional<LastMessageFact> take_after_terminate(Direction& from, std::size_t octets);

// Called when `from` has ended its direction, or when the trace is over; `at` is the position.
EndFacts take_end(Connection& connection, Direction& from, const Message& at);

// Called when the trace is over: returns a fact if octets of an FPDU are missing at the end of `from`.
std::optional<UnfinishedFpduFact> find_unfinished_fpdu(const Connection& connection, const Direction& from);

// Called when both directions have ended, or when the trace is over: states if `from` ended within an FPDU.
std::optional<WholeFpdusFact> find_whole_fpdus(const Connection& connection, const Direction& from);

}  // namespace wirelaw::rdmap
