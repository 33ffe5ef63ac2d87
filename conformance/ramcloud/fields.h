// SPDX-License-Identifier: Apache-2.0
// Offsets of the fields of a packet, as evidence in findings.
#pragma once

#include "conformance/judge.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud::field {

inline constexpr OctetRange kSessionToken = octets(layout::kSessionToken, 8);
inline constexpr OctetRange kRpcId = octets(layout::kRpcId, 4);
inline constexpr OctetRange kClientSessionHint = octets(layout::kClientSessionHint, 4);
inline constexpr OctetRange kServerSessionHint = octets(layout::kServerSessionHint, 4);
inline constexpr OctetRange kFragNumber = octets(layout::kFragNumber, 2);
inline constexpr OctetRange kTotalFrags = octets(layout::kTotalFrags, 2);
inline constexpr OctetRange kFragments = octets(layout::kFragNumber, 4);
inline constexpr OctetRange kChannelId = octets(layout::kChannelId, 1);
inline constexpr OctetRange kFlags = octets(layout::kFlags, 1);
inline constexpr OctetRange kFirstMissingFrag = octets(layout::kHeader + layout::kFirstMissingFrag, 2);
inline constexpr OctetRange kStagingVector = octets(layout::kHeader + layout::kStagingVector, 4);

constexpr OctetRange payload(const Packet& packet) {
  return octets(layout::kHeader, packet.payload.size());
}

}  // namespace wirelaw::ramcloud::field
