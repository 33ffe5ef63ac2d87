// SPDX-License-Identifier: Apache-2.0
// An address of pcap as observers take it.
#pragma once

#include "conformance/trace.h"
#include "pcap/address.h"

namespace wirelaw {

inline NetworkAddress network_address(const pcap::Endpoint& endpoint) {
  return {.octets = endpoint.address.as_ipv6(),
          .port = static_cast<std::uint16_t>(endpoint.port)};  // as much as a raw address has
}

}  // namespace wirelaw
