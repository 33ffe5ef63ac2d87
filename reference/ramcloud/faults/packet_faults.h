// SPDX-License-Identifier: Apache-2.0
// Deviations in the octets of a packet.
#pragma once

#include <span>
#include <vector>

#include "reference/ramcloud/deviations.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

// A packet before it is encoded.
struct Draft {
  Header header;
  OctetBuffer payload;
  bool resent = false;  // the packet is a fragment that was sent before
};

constexpr unsigned kind_of(PayloadType type) {
  return 1u << static_cast<unsigned>(type);
}

// What a deviation changes in an outgoing packet. One function is set, or none.
struct PacketEdit {
  unsigned kinds = 0;  // the packets that it concerns: bits of kind_of(); an edit of ACKs needs none
  void (*draft)(Draft&) = nullptr;
  void (*extra)(Draft&) = nullptr;  // changes a copy, which is sent after the packet
  void (*octets)(OctetBuffer&) = nullptr;
  void (*ack)(Ack&, std::uint16_t total) = nullptr;  // the message has `total` fragments
  void (*ack_octets)(OctetBuffer& payload) = nullptr;
};
// The edits of all deviations, in the order of the enumeration.
std::span<const PacketEdit> packet_edits();

// Returns a packet with its faults, and additional packets of a fault. `resent`: the packet is a fragment that was sent
// before.
std::vector<OctetBuffer> encode_with_faults(const Header& header, OctetBuffer payload, bool resent,
                                            const Deviations& deviations);

// Reverses the octets of every header field, if the octets have a whole header.
void reverse_header_fields(OctetBuffer& octets);

// The payload of an ACK for a message of `total` fragments.
OctetBuffer encode_ack_with_faults(Ack ack, std::uint16_t total, const Deviations& deviations);

}  // namespace wirelaw::ramcloud
