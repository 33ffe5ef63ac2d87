// SPDX-License-Identifier: Apache-2.0
// Reads the TCP segment of one frame, for callers that have single frames and no capture file (see also PacketReader).
#pragma once

#include "pcap/frame.h"
#include "pcap/tcp.h"

namespace wirelaw::pcap {

// Returns false if the frame does not hold a whole segment: IP fragments are not reassembled. The payload is a view of
// the frame's octets.
bool segment_of(const Frame& frame, Segment& segment);

}  // namespace wirelaw::pcap
