// SPDX-License-Identifier: Apache-2.0
// Values that the RAMCloud RPC text leaves open; the defaults are those of the last deployed implementation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reference/endpoint.h"

namespace wirelaw::ramcloud {

// The token of a session open request, which the text leaves open ("serverSessionHint" exempts it). Deployed servers
// need a value that equals no table index.
inline constexpr std::uint64_t kNoToken = 0xcccccccccccccccc;
inline constexpr std::uint32_t kNoServerHint = 0xcccccccc;

// The meaning of the octet in a session open response ("Session Open Response Payload Format", ruling RAMCLOUD/R1).
enum class OpenReading : std::uint8_t {
  inclusive_maximum,  // as in the text: the largest channel id
  count,              // implementations since 2010-08: the number of channels
};

struct Options {
  // Messages in fragments.
  std::size_t fragment_octets = 1374;  // data in every fragment except the last: 1400 octets of UDP less the header
  std::size_t window = 10;             // maximum number of fragments without an ACK
  unsigned ack_every = 5;              // one in this many DATA packets of a message requests an ACK

  // Time ("Old": a fixed number of resends). 500 ms in five silent intervals.
  Instant interval = std::chrono::milliseconds(100);
  unsigned silent_intervals = 5;      // number of resends before giving up
  unsigned intervals_before_ack = 2;  // silence within a response before the client sends an unrequested ACK

  // Sessions.
  unsigned channels = 8;  // number in a server's session; maximum that a client uses
  OpenReading announces = OpenReading::inclusive_maximum;
  Instant session_expiry = std::chrono::seconds(10);  // idle time after which a server may forget a session
  std::size_t max_sessions = 1024;                    // a further session replaces an unused one, if any
  unsigned max_reopens = 5;                           // BAD_SESSIONs without a completed call before giving up

  // Memory for data from peers.
  std::size_t max_message_octets = std::size_t{16} << 20;  // for one request or response
  std::size_t reassembly_octets = std::size_t{64} << 20;   // for all messages in reassembly and stored responses
};

}  // namespace wirelaw::ramcloud
