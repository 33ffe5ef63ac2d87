// SPDX-License-Identifier: Apache-2.0
// Frames put into tags and tunnels, for tests: a table of what a capture point may add. Built without the code under
// test.
#pragma once

#include <span>
#include <string_view>

#include "reference/octets/octets.h"

namespace wirelaw::pcap::testing {

struct Wrapping {
  std::string_view name;      // unique; a sentence about it may begin with it
  std::string_view carriers;  // as the reader must name them
  // From a plain Ethernet frame that holds IP to an Ethernet frame that carries it, or its IP packet.
  OctetBuffer (*wrap)(const OctetBuffer& frame);
  bool takes_ip_alone = false;  // only the IP packet, from a frame with an untagged Ethernet header
};

std::span<const Wrapping> wrappings();
// Whether `outer` can carry the result of another wrapping.
bool carries(const Wrapping& outer, const OctetBuffer& frame);

}  // namespace wirelaw::pcap::testing
