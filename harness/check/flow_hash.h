// SPDX-License-Identifier: Apache-2.0
// A stable hash that decides in which share of a run a flow is judged. It is the same in every build and for both
// directions.
#pragma once

#include <cstdint>

#include "conformance/protocol.h"
#include "pcap/address.h"
#include "pcap/packet_reader.h"

namespace wirelaw {

std::uint64_t flow_hash(pcap::Transport transport, const pcap::Endpoint& one, const pcap::Endpoint& other);
// Returns the hash of all flows between these two nodes.
std::uint64_t nodes_hash(const pcap::Endpoint& one, const pcap::Endpoint& other);

// Flows of a protocol that explain one another (conformance/association.h) and therefore stay together.
enum class Joined : std::uint8_t {
  none,
  of_nodes,  // all flows between two nodes
  all,
};
Joined joined_flows(const Protocol& base);
// Returns the hash of the flows that stay together with this one. Joined::none is not allowed.
std::uint64_t joined_hash(Joined joined, const pcap::Endpoint& one, const pcap::Endpoint& other);

}  // namespace wirelaw
