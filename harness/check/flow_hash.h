// SPDX-License-Identifier: Apache-2.0
// What decides in which share of a run a flow is judged: the same in every build, for either direction.
#pragma once

#include <cstdint>

#include "conformance/protocol.h"
#include "pcap/address.h"
#include "pcap/packet_reader.h"

namespace wirelaw {

std::uint64_t flow_hash(pcap::Transport transport, const pcap::Endpoint& one, const pcap::Endpoint& other);
// Of all flows between these two nodes.
std::uint64_t nodes_hash(const pcap::Endpoint& one, const pcap::Endpoint& other);

// Whether flows of the protocol explain one another (conformance/association.h): those of two nodes stay together.
bool joins_flows(const Protocol& base);

}  // namespace wirelaw
