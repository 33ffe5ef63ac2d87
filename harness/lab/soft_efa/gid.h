// SPDX-License-Identifier: Apache-2.0
// Maps an EFA address to UDP. The GID is the IPv6 address of the socket, or its IPv4 address mapped into IPv6 (RFC
// 4291, 2.5.5.2), in network order. The queue pair's number is the port.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace wirelaw::soft_efa {

using Gid = std::array<std::uint8_t, 16>;

struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t length = 0;
};

// Reads an IPv4 or IPv6 address in text form. Empty if it is none.
std::optional<Gid> parse_gid(const std::string& text);

bool is_ipv4(const Gid& gid);  // IPv4-mapped
bool is_loopback(const Gid& gid);

SocketAddress to_socket(const Gid& gid, std::uint16_t port);
Gid gid_of(const sockaddr_storage& address);
std::uint16_t port_of(const sockaddr_storage& address);

}  // namespace wirelaw::soft_efa
