// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

bool check_whole_header(Judge& judge, const Message& message);
// The packet is an open request or an open response.
void check_nibbles(Judge& judge, const Rule& rule, const PacketFacts& facts);
// The evidence of a finding that rpcIds were skipped. Their RPCs may be missing from the capture if all of them fit
// into the time, one after another on one channel.
Evidence evidence_of_skipped(std::uint32_t from, std::uint32_t to, std::int64_t elapsed_ns);
// Returns true if an rpcId can only mean `intended` in network octet order. Exercises the rule if the two orders
// differ, and counts a breach. `elapsed_ns` is the time since the previous packet on the channel.
bool check_rpc_id_order(Judge& judge, std::uint32_t value, std::uint32_t intended, std::int64_t elapsed_ns);
// Same, for the fragment numbers of a message with several fragments.
void check_fragment_order(Judge& judge, const PacketFacts& facts, bool is_in_network_order);

}  // namespace wirelaw::ramcloud
