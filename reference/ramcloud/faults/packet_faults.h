// SPDX-License-Identifier: Apache-2.0
// Deviations in the octets of a packet.
#pragma once

#include <vector>

#include "reference/ramcloud/deviations.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

// Returns a packet with its faults, and additional packets of a fault. `resent`: the packet is a fragment that was sent
// before.
std::vector<OctetBuffer> encode_with_faults(const Header& header, OctetBuffer payload, bool resent,
                                            const Deviations& deviations);

// Reverses the octets of every header field, if the octets have a whole header.
void reverse_header_fields(OctetBuffer& octets);

// The payload of an ACK for a message of `total` fragments.
OctetBuffer encode_ack_with_faults(Ack ack, std::uint16_t total, const Deviations& deviations);

}  // namespace wirelaw::ramcloud
