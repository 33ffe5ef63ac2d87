// SPDX-License-Identifier: Apache-2.0
// The RDMA devices of this machine, as libibverbs lists them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/transport.h"
#include "pcap/address.h"

namespace wirelaw {

struct RdmaPort {
  std::uint8_t number = 1;
  bool active = false;
  std::string_view link = {};            // "InfiniBand", "Ethernet"; "unspecified" of others, EFA among them
  std::uint32_t max_message = 0;         // octets; of EFA the largest packet
  std::vector<pcap::Address> gids = {};  // GIDs that are not zero; an IPv4 address is mapped into IPv6
};

// Capabilities of an EFA device besides sending.
struct EfaAbilities {
  bool rdma_read = false;
  bool rdma_write = false;
  std::uint32_t max_rdma = 0;  // octets of one RDMA
};

struct RdmaDevice {
  std::string name;            // "rxe0"
  std::string_view transport;  // "InfiniBand", "iWARP", "usNIC", "unspecified"
  bool efa = false;
  EfaAbilities efa_abilities = {};
  std::vector<RdmaPort> ports = {};
};

// Returns the devices; none is no error. A machine without libibverbs, or a build without its headers, is an error.
tl::expected<std::vector<RdmaDevice>, TransportError> rdma_devices();

}  // namespace wirelaw
