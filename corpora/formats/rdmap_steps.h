// SPDX-License-Identifier: Apache-2.0
// The inputs of the targets that talk to an RDMAP endpoint: three octets of settings, then records (records.h), each a
// step. The control octet selects the step; octets that are missing are zero.
#pragma once

#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw::corpora {

inline constexpr std::size_t kRdmapSettings = 3;

namespace rdmap_settings {
// first octet: start-up
inline constexpr Octet kRevision2 = 0x01;
inline constexpr Octet kEnhanced = 0x02;
inline constexpr Octet kPeerToPeer = 0x04;
inline constexpr Octet kMarkers = 0x08;  // the endpoint requests to receive markers
inline constexpr Octet kCrc = 0x10;      // the endpoint requests CRCs
inline constexpr Octet kExtensions = 0x20;
inline constexpr Octet kNoRtrSend = 0x40;
inline constexpr Octet kNoRtrWrite = 0x80;
// second octet: IRD in the high four bits, ORD in the low four
// third octet: MULPDU is 128 and 64 times this
}  // namespace rdmap_settings

namespace rdmap_step {
inline constexpr Octet kKind = 0x07;
inline constexpr Octet kRaw = 0;          // the peer sends these octets
inline constexpr Octet kUlpdu = 1;        // the peer sends this ULPDU, framed as negotiated
inline constexpr Octet kStartFrame = 2;   // the peer sends its start frame: flags, revision, then private data
inline constexpr Octet kApplication = 3;  // the endpoint's upper layer acts: action (1), length (2), operands
inline constexpr Octet kTime = 4;         // milliseconds pass (2)
inline constexpr Octet kEnding = 5;       // the peer ends its direction: reset if the first octet is odd
inline constexpr Octet kAnswer = 6;       // the peer answers the endpoint's oldest read with so many octets (2)

// flags of kUlpdu: without them the peer chooses the value
inline constexpr Octet kOwnMsn = 0x10;   // sends the MSN in the steps; else the next one of its queue
inline constexpr Octet kOwnStag = 0x20;  // sends the STag in the steps; else one that the endpoint has registered
inline constexpr Octet kBadCrc = 0x40;
}  // namespace rdmap_step

enum class RdmapAction : Octet {
  accept,
  reject,
  receive,
  send,
  send_invalidate,
  write,
  read,
  fetch_add,
  immediate,
  invalidate,
  terminate,
  close,
};
inline constexpr Octet kRdmapActions = 12;

}  // namespace wirelaw::corpora
