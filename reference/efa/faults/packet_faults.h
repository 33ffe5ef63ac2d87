// SPDX-License-Identifier: Apache-2.0
// The deviations that lie in the octets of a packet, or in how often it is sent.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "reference/efa/deviations.h"
#include "reference/efa/packet.h"

namespace wirelaw::efa {

// What a fault may need to know.
struct FaultContext {
  bool handshake_received = false;
};

class PacketFaults {
 public:
  explicit PacketFaults(const Deviations& deviations) : deviations_(deviations) {}

  // The packet with the faults that concern it, as often as it is sent, and what a fault sends besides.
  std::vector<OctetBuffer> encode(const Packet& packet, const FaultContext& context);

 private:
  Deviations deviations_;
  std::array<std::uint32_t, 256> sent_{};  // packets by type
};

}  // namespace wirelaw::efa
