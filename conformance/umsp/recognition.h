// SPDX-License-Identifier: Apache-2.0
// How UMSP is recognised: at its port by a header that may be one, elsewhere, and behind a gap, by instructions without
// a fault.
#pragma once

#include "conformance/protocol.h"
#include "reference/umsp/instruction.h"

namespace wirelaw::umsp {

// What an observer follows: instructions of any length, and more extension headers than the document allows.
inline constexpr Limits kObserved{.octets = ~std::uint64_t{0}, .extension_headers = 64};

// Whether the first octets of a side, or a datagram, may be UMSP: the header of an instruction that the document
// defines, with flags and a length that its table prints.
Plausible is_plausible(Octets first);

// Whether a flow that has port 2110 is UMSP. A port proves little, and so does one header: about a tenth of what other
// protocols begin with reads as one. What is weighed, and why, is ruling UMSP/B51 of INTERPRETATIONS.md.
Plausible weigh(const Opening& opening);

// Where a message of UMSP certainly begins: at the first of these octets, by the request for a job, a task or a
// session, whole and without a fault; Protocol::kNotHere where it does not.
std::size_t begins_in(Octets octets);

// Whether an instruction begins where that is not known: behind a gap, or in a capture that begins late. Two in a row
// as the tables have them, which name the same session.
enum class Beginning : std::uint8_t { no, undecided, yes };  // undecided: more octets will show it
Beginning begins_at(Octets octets);

}  // namespace wirelaw::umsp
