// SPDX-License-Identifier: Apache-2.0
// The quantities that the RAMCloud RPC text leaves open, with the values of the last deployed implementation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reference/endpoint.h"

namespace wirelaw::ramcloud {

// What a session open request carries if the text asks for nothing ("serverSessionHint" exempts it): a value that
// no table index can equal, as deployed servers need it.
inline constexpr std::uint64_t kNoToken = 0xcccccccccccccccc;
inline constexpr std::uint32_t kNoServerHint = 0xcccccccc;

// How the octet of a session open response counts ("Session Open Response Payload Format", ruling RAMCLOUD/R1).
enum class OpenReading : std::uint8_t {
  inclusive_maximum,  // the text: the largest channel id
  count,              // implementations since 2010-08: the number of channels
};

struct Options {
  // Messages in fragments.
  std::size_t fragment_octets = 1374;  // data in every fragment but the last: 1400 octets of UDP less the header
  std::size_t window = 10;             // fragments sent and not acknowledged
  unsigned ack_every = 5;              // every so many DATA packets of a message ask for an ACK

  // Time ("Old": a fixed number of resends). 500 ms in five silent intervals.
  Instant interval = std::chrono::milliseconds(100);
  unsigned silent_intervals = 5;      // resends before giving up
  unsigned intervals_before_ack = 2;  // silence in a partial response before the client sends an ACK unasked

  // Sessions.
  unsigned channels = 8;  // in a server's session; the most that a client uses
  OpenReading announces = OpenReading::inclusive_maximum;
  Instant session_expiry = std::chrono::seconds(10);  // idle time after which a server may forget a session
  std::size_t max_sessions = 1024;                    // one more takes the place of one that is unused, if any is
  unsigned max_reopens = 5;                           // BAD_SESSIONs in a row, no call completed, before giving up

  // Memory for what a peer sends.
  std::size_t max_message_octets = std::size_t{16} << 20;  // for one request or response
  std::size_t reassembly_octets = std::size_t{64} << 20;   // for all messages in reassembly and stored responses
};

}  // namespace wirelaw::ramcloud
