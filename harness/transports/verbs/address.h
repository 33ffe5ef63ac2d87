// SPDX-License-Identifier: Apache-2.0
// Between our endpoints and the system's.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include "pcap/address.h"

namespace wirelaw::verbs {

inline sockaddr_storage sockaddr_of(const pcap::Endpoint& endpoint) {
  sockaddr_storage storage = {};
  if (endpoint.address.v6) {
    auto* const to = reinterpret_cast<sockaddr_in6*>(&storage);
    to->sin6_family = AF_INET6;
    to->sin6_port = htons(static_cast<std::uint16_t>(endpoint.port));
    std::memcpy(&to->sin6_addr, endpoint.address.octets.data(), sizeof to->sin6_addr);
  } else {
    auto* const to = reinterpret_cast<sockaddr_in*>(&storage);
    to->sin_family = AF_INET;
    to->sin_port = htons(static_cast<std::uint16_t>(endpoint.port));
    std::memcpy(&to->sin_addr, endpoint.address.octets.data(), sizeof to->sin_addr);
  }
  return storage;
}

// Any other family has no address.
inline pcap::Endpoint endpoint_of(const sockaddr& from) {
  pcap::Endpoint endpoint;
  if (from.sa_family == AF_INET6) {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(from);
    endpoint.address.set_ipv6(six.sin6_addr.s6_addr);
    endpoint.port = ntohs(six.sin6_port);
  } else if (from.sa_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(from);
    endpoint.address.set_ipv4(reinterpret_cast<const Octet*>(&four.sin_addr));
    endpoint.port = ntohs(four.sin_port);
  }
  return endpoint;
}

}  // namespace wirelaw::verbs
