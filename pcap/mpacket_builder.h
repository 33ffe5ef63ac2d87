// SPDX-License-Identifier: Apache-2.0
// mPackets for tests (IEEE 802.3br, clause 99): Ethernet frames as a port with frame preemption sends them. Built
// without the code under test.
#pragma once

#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::pcap::testing {

// Seven octets of preamble, the delimiter of an express frame, the frame, and its frame check sequence.
OctetBuffer express_mpacket(const OctetBuffer& frame);

// A preemptable frame in fragments that end at these octets of the frame. `number` counts the frames of the port; the
// wire holds it modulo 4. Without ends, the frame is one mPacket.
std::vector<OctetBuffer> mpacket_fragments(const OctetBuffer& frame, std::vector<std::size_t> ends,
                                           std::size_t number = 0);

}  // namespace wirelaw::pcap::testing
