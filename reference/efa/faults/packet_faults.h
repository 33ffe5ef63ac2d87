// SPDX-License-Identifier: Apache-2.0
// Deviations in the octets of a packet, or in the number of its copies.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "reference/efa/deviations.h"
#include "reference/efa/packet.h"

namespace wirelaw::efa {

// The state that faults depend on.
struct FaultContext {
  bool handshake_received = false;
};

class PacketFaults {
 public:
  explicit PacketFaults(const Deviations& deviations) : deviations_(deviations) {}

  // Returns the packet with its faults, as many times as it is sent, and additional packets of a fault.
  std::vector<OctetBuffer> encode(const Packet& packet, const FaultContext& context);

 private:
  Deviations deviations_;
  std::array<std::uint32_t, 256> sent_{};  // number of packets by type
};

}  // namespace wirelaw::efa
