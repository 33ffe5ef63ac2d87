// SPDX-License-Identifier: Apache-2.0
#include "harness/check/flow_ends.h"

#include <algorithm>

#include "conformance/roce/roce.h"
#include "conformance/stack.h"
#include "pcap/queue_pairs.h"
#include "reference/roce/packet.h"

namespace wirelaw {

bool is_carried_by(const Protocol& base, pcap::Transport transport) {
  if ((&base == &roce::kProtocol) != (transport == pcap::Transport::roce)) return false;
  return transport == pcap::Transport::tcp ? base.streams.has_value() : base.datagrams.has_value();
}

bool carries(const Protocol& protocol, std::span<const Protocol* const> known, pcap::Transport transport) {
  return std::ranges::any_of(bases_of(protocol, known),
                             [&](const Protocol* base) { return is_carried_by(*base, transport); });
}

bool has_port(const Flow& flow, std::uint16_t port) {
  return flow.transport == pcap::Transport::roce ? port == roce::kPort : port == flow.a.port || port == flow.b.port;
}

std::array<Endpoint, 2> addresses_of(const Flow& flow) {
  if (flow.transport != pcap::Transport::roce) return {flow.a, flow.b};
  return {Endpoint{flow.a.address, roce::kPort}, Endpoint{flow.b.address, roce::kPort}};
}

std::string name_of(const pcap::Endpoint& end, pcap::Transport transport) {
  const bool unknown = transport == pcap::Transport::roce && (end.port & pcap::kUnknownQueue) != 0;
  return unknown ? to_string(end.address) : to_string(end);
}

}  // namespace wirelaw
