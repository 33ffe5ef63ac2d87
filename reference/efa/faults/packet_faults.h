// SPDX-License-Identifier: Apache-2.0
// Deviations in the octets of a packet, or in the number of its copies.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/efa/deviations.h"
#include "reference/efa/packet.h"

namespace wirelaw::efa {

// The state that faults depend on.
struct FaultContext {
  bool handshake_received = false;
};

// A packet before it is encoded, with the octets that it refers to.
struct Draft {
  Packet packet;
  const FaultContext& context;
  std::uint32_t before;  // number of packets of this type before it
  OctetBuffer raw_address, extra_info, rma_iov, read_iov, payload;
  unsigned copies = 1;

  Draft(const Packet& original, const FaultContext& about, std::uint32_t count)
      : packet(original), context(about), before(count) {
    const auto own = [](OctetBuffer& buffer, Octets octets) { buffer.assign(octets.begin(), octets.end()); };
    own(raw_address, packet.raw_address);
    own(extra_info, packet.extra_info);
    own(rma_iov, packet.rma_iov);
    own(read_iov, packet.read_iov);
    own(payload, packet.payload);
  }
  OctetBuffer encode() {
    packet.raw_address = raw_address;
    packet.extra_info = extra_info;
    packet.rma_iov = rma_iov;
    packet.read_iov = read_iov;
    packet.payload = payload;
    return efa::encode(packet);
  }
  void clear(std::uint16_t flag) { packet.flags = static_cast<std::uint16_t>(packet.flags & ~unsigned{flag}); }
  bool has(std::uint16_t flag) const { return packet.has(flag); }
};

// What a deviation changes in the packets that it concerns. One function is set, or `extra`, or none.
struct PacketEdit {
  bool (*concerns)(const Layout&) = nullptr;
  void (*draft)(Draft&) = nullptr;
  void (*octets)(OctetBuffer& octets, const Packet& packet) = nullptr;
  std::uint8_t extra = 0;  // sends an additional packet of this type after it
};
// The edits of all deviations, in the order of the enumeration.
std::span<const PacketEdit> packet_edits();

class PacketFaults {
 public:
  explicit PacketFaults(const Deviations& deviations) : deviations_(deviations) {}

  // Returns the packet with its faults, as many times as it is sent, and additional packets of a fault.
  std::vector<OctetBuffer> encode(const Packet& packet, const FaultContext& context);

 private:
  // Calls `each` with the edits of the deviations that concern packets of this layout.
  template <class Each>
  void for_each(const Layout& layout, const Each& each) const;

  Deviations deviations_;
  std::array<std::uint32_t, 256> sent_{};  // number of packets by type
};

}  // namespace wirelaw::efa
