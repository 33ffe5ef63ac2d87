// SPDX-License-Identifier: Apache-2.0
// Recognition of UMSP: at its port by a plausible header, and elsewhere or after a gap by faultless instructions.
#pragma once

#include "conformance/protocol.h"
#include "reference/umsp/instruction.h"

namespace wirelaw::umsp {

// An observer follows instructions of any length, with more extension headers than the document allows.
inline constexpr Limits kObserved{.octets = ~std::uint64_t{0}, .extension_headers = 64};

// Decides if the first octets of a side, or a datagram, may be UMSP. They must be the header of a defined instruction
// with the flags and the length given in its table.
Plausible is_plausible(Octets first);

// Decides if a flow that uses port 2110 is UMSP. A port proves little, and so does one header: about a tenth of the
// beginnings of other protocols can be decoded as one. Ruling UMSP/B51 of INTERPRETATIONS.md defines the criteria and
// gives the reasons.
Plausible weigh(const Opening& opening);

// Returns 0 if UMSP certainly begins at the first of these octets: with the request for a job, a task or a session,
// complete and faultless. Otherwise Protocol::kNotHere.
std::size_t begins_in(Octets octets);

// Decides if an instruction begins here after a gap, or in a capture that begins late. Two consecutive instructions
// must match the tables and name the same session.
enum class Beginning : std::uint8_t { no, undecided, yes };  // undecided: more octets will show it
Beginning begins_at(Octets octets);

}  // namespace wirelaw::umsp
