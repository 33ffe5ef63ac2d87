// SPDX-License-Identifier: Apache-2.0
// The header of Ethernet (IEEE 802.3), in octets.
#pragma once

#include <cstddef>

namespace wirelaw::pcap {

inline constexpr std::size_t kEthernetType = 12, kEthernetHeader = 14;

}  // namespace wirelaw::pcap
