// SPDX-License-Identifier: Apache-2.0
// A flow by its two ends: what may be carried between them, and how people call them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "conformance/protocol.h"
#include "harness/check/flow_table.h"

namespace wirelaw {

// What Wireshark's users call the port: an exported PDU is read as a datagram.
constexpr pcap::Transport port_of(pcap::Transport transport) {
  return transport == pcap::Transport::tcp ? pcap::Transport::tcp : pcap::Transport::udp;
}

bool is_carried_by(const Protocol& base, pcap::Transport transport);
// Whether such a flow may be this protocol, or what it stands on.
bool carries(const Protocol& protocol, std::span<const Protocol* const> known, pcap::Transport transport);

bool has_port(const Flow& flow, std::uint16_t port);
// For queue pairs, which have no ports, the port that they share.
std::array<Endpoint, 2> addresses_of(const Flow& flow);
// As people call a queue pair; of one that is not known its address.
std::string name_of(const pcap::Endpoint& end, pcap::Transport transport);

}  // namespace wirelaw
