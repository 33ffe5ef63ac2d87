// SPDX-License-Identifier: Apache-2.0
// The deviations that lie in the octets of a packet.
#pragma once

#include <vector>

#include "reference/ramcloud/deviations.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

// A packet with the faults that concern it, and the packets that a fault sends besides. `resent`: it is a fragment that
// was sent before.
std::vector<OctetBuffer> encode_with_faults(const Header& header, OctetBuffer payload, bool resent,
                                            const Deviations& deviations);

// Turns every header field of octets that hold one into the other octet order.
void reverse_header_fields(OctetBuffer& octets);

// The payload of an ACK about a message of `total` fragments.
OctetBuffer encode_ack_with_faults(Ack ack, std::uint16_t total, const Deviations& deviations);

}  // namespace wirelaw::ramcloud
