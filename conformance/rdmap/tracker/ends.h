// SPDX-License-Identifier: Apache-2.0
// States facts about how the streams of a connection end. It judges nothing.
#pragma once

#include <array>

#include "conformance/rdmap/tracker/facts.h"

namespace wirelaw::rdmap {

// An FPDU of `from` has come, of so many octets. A fact if it is the first one after a Terminate.
std::optional<LastMessageFact> take_after_terminate(Direction& from, std::size_t octets);

// `from` has ended its direction, or the trace is over; `at` says where.
EndFacts take_end(Connection& connection, Direction& from, const Message& at);

// Both directions have ended, or the trace is over: how `from` ended in the middle of an FPDU, or did not.
std::optional<WholeFpdusFact> find_whole_fpdus(const Connection& connection, const Direction& from);

}  // namespace wirelaw::rdmap
