// SPDX-License-Identifier: Apache-2.0
// An address of pcap as observers take it.
#pragma once

#include "conformance/trace.h"
#include "pcap/address.h"

namespace wirelaw {

inline NetworkAddress network_address(const pcap::Endpoint& endpoint) {
  return {.octets = endpoint.address.as_ipv6(), .port = endpoint.port};
}

}  // namespace wirelaw
