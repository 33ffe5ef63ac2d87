// SPDX-License-Identifier: Apache-2.0
// For tests: the packets that a soft device has recorded.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::lab {

struct RecordedPacket {
  std::uint16_t from = 0;  // QPNs
  std::uint16_t to = 0;
  OctetBuffer octets;
};

// Whole packets of a little-endian pcap file with LINKTYPE_WIRESHARK_UPPER_PDU.
std::vector<RecordedPacket> packets_of(const std::string& file);

}  // namespace wirelaw::lab
