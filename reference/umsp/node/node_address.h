// SPDX-License-Identifier: Apache-2.0
// A node on the global IPv4 network (RFC 3018 3.4). The address is its identity on all connections.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>

#include "reference/umsp/address.h"
#include "reference/umsp/management.h"

namespace wirelaw::umsp {

struct NodeAddress {
  std::array<Octet, 4> ip{};
  friend constexpr auto operator<=>(const NodeAddress&, const NodeAddress&) = default;
};

// Returns another node.
inline NodeAddress other_than(NodeAddress node) {
  ++node.ip.back();
  return node;
}

// The length of a node's local addresses, in one of the assigned formats.
struct NodeFormat {
  AddressFormat format = kIpv4Memory32;
  constexpr std::size_t memory_octets() const { return format.memory_octets(); }
  // Length of the field for an LTID or CTID, if the instruction has room for it (5).
  constexpr std::uint8_t field_octets() const {
    return static_cast<std::uint8_t>(umsp::field_octets(format.memory_octets()));
  }
  constexpr TaskId task_id(std::uint64_t number) const { return {number, field_octets()}; }
};

// A GJID or GTID of this node.
inline Identifier identifier_of(const NodeFormat& format, NodeAddress node, std::uint64_t task) {
  return make_identifier(format.format, node.ip, task).value_or(Identifier{});
}
// Built from what other nodes see of a task. They do not see the length of its node's local addresses (5): four octets
// are assumed, or eight if the LTID needs them.
inline Identifier gtid_of(NodeAddress node, TaskId ltid) {
  const AddressFormat format = ltid.number >> 32 == 0 ? kIpv4Memory32 : AddressFormat{4, 0, 3};
  return make_identifier(format, node.ip, ltid.number).value_or(Identifier{});
}
// Returns the node; nothing if its network is not assigned.
inline std::optional<NodeAddress> node_of(const Identifier& identifier) {
  if (!is_assigned(identifier.format)) return std::nullopt;
  NodeAddress node;
  const Octets octets = identifier.node();
  for (std::size_t i = 0; i < node.ip.size(); ++i) node.ip[i] = octets[i];
  return node;
}

}  // namespace wirelaw::umsp
