// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

bool judge_whole_header(Judge& judge, const Message& message);
void judge_nibbles(Judge& judge, const Rule& rule, const Seen& seen, bool swapped);
// What it rests on that rpcIds were skipped: their RPCs may be missing from the capture where all of them fit into the
// time, one after the other on one channel.
Evidence evidence_of_skipped(std::uint32_t from, std::uint32_t to, std::int64_t elapsed_ns);
// Whether `value` can only be meant as `intended` with its octets in network order; exercises the rule where the two
// orders differ, and counts a breach. `elapsed_ns`: since the packet before it on the channel.
bool judge_octet_order(Judge& judge, OctetRange where, std::uint32_t value, std::uint32_t intended,
                       std::int64_t elapsed_ns);
// The same for the numbers of a message with several fragments.
bool judge_fragment_octet_order(Judge& judge, const Seen& seen, Transfer& transfer);

}  // namespace wirelaw::ramcloud
