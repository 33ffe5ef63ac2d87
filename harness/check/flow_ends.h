// SPDX-License-Identifier: Apache-2.0
// The two ends of a flow: the protocols that they may carry, and their names for people.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "conformance/protocol.h"
#include "harness/check/flow_table.h"

namespace wirelaw {

// The transport in Wireshark's name of the port; an exported PDU is read as a datagram.
constexpr pcap::Transport port_of(pcap::Transport transport) {
  return transport == pcap::Transport::tcp ? pcap::Transport::tcp : pcap::Transport::udp;
}

bool is_carried_by(const Protocol& base, pcap::Transport transport);
// True if such a flow may be this protocol, or the one below it.
bool carries(const Protocol& protocol, std::span<const Protocol* const> known, pcap::Transport transport);

bool has_port(const Flow& flow, std::uint16_t port);
// Returns the two addresses. Queue pairs, which have no ports, get the UDP port that they share.
std::array<Endpoint, 2> addresses_of(const Flow& flow);
// Returns the name of a queue pair, for messages, or its address if the queue pair is unknown.
std::string name_of(const pcap::Endpoint& end, pcap::Transport transport);

}  // namespace wirelaw
