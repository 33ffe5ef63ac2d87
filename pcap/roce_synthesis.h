// SPDX-License-Identifier: Apache-2.0
// Builds a frame around a RoCEv2 packet that no network carried.
#pragma once

#include <tl/expected.hpp>

#include "pcap/synthesis.h"

namespace wirelaw::pcap {

// Replaces `out` with Ethernet, IP, UDP without a checksum (as adapters send it), the packet up to its invariant CRC,
// and that CRC. The caller chooses the ports; the destination port is 4791.
tl::expected<void, std::string> synthesise_roce(const Endpoint& source, const Endpoint& destination, Octets packet,
                                                OctetBuffer& out);

}  // namespace wirelaw::pcap
