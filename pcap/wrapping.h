// SPDX-License-Identifier: Apache-2.0
// Puts frames into tags and tunnels, for tests: a table of headers that a capture point may add. Built without the code
// under test.
#pragma once

#include <span>
#include <string_view>

#include "reference/octets/octets.h"

namespace wirelaw::pcap::testing {

struct Wrapping {
  std::string_view name;      // unique; begins the name of a test
  std::string_view carriers;  // the carriers that the reader must report
  // Turns a plain Ethernet frame that holds IP into an Ethernet frame that carries it, or its IP packet.
  OctetBuffer (*wrap)(const OctetBuffer& frame);
  bool takes_ip_alone = false;  // carries only the IP packet of a frame with an untagged Ethernet header
};

std::span<const Wrapping> wrappings();
// Returns true if `outer` can carry the result of another wrapping.
bool carries(const Wrapping& outer, const OctetBuffer& frame);

}  // namespace wirelaw::pcap::testing
