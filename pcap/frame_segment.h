// SPDX-License-Identifier: Apache-2.0
// The TCP segment of one frame, for callers that have frames one by one and no capture file (PacketReader has those).
#pragma once

#include "pcap/frame.h"
#include "pcap/tcp.h"

namespace wirelaw::pcap {

// False if the frame holds no whole one: fragments of IP packets are not put together. The payload is a view of the
// frame's octets.
bool segment_of(const Frame& frame, Segment& segment);

}  // namespace wirelaw::pcap
