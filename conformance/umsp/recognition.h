// SPDX-License-Identifier: Apache-2.0
// Recognition of UMSP: at its port by a plausible header, and elsewhere or after a gap by faultless instructions.
#pragma once

#include "conformance/protocol.h"
#include "reference/umsp/instruction.h"

namespace wirelaw::umsp {

// An observer follows instructions of any length, with more extension headers than the document allows.
inline constexpr Limits kObserved{.octets = ~std::uint64_t{0}, .extension_headers = 64};

// Whether the first octets of a side, or a datagram, may be UMSP. They have to be the header of a defined instruction,
// with flags and a length that its table prints.
Plausible is_plausible(Octets first);

// Whether a flow that uses port 2110 is UMSP. A port proves little, and so does one header: about a tenth of the
// beginnings of other protocols read as one. Ruling UMSP/B51 of INTERPRETATIONS.md defines what is weighed, and why.
Plausible weigh(const Opening& opening);

// Returns 0 if UMSP certainly begins at the first of these octets: with the request for a job, a task or a session,
// complete and faultless. Otherwise Protocol::kNotHere.
std::size_t begins_in(Octets octets);

// Whether an instruction begins here after a gap, or in a capture that begins late. It takes two in a row that match
// the tables and name the same session.
enum class Beginning : std::uint8_t { no, undecided, yes };  // undecided: more octets will show it
Beginning begins_at(Octets octets);

}  // namespace wirelaw::umsp
