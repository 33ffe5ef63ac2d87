// SPDX-License-Identifier: Apache-2.0
// A trace: the ordered messages of one conversation, whatever transport carried them.
#pragma once

#include <cstdint>
#include <span>

#include "reference/network/stream_piece.h"
#include "reference/octets/octets.h"

namespace wirelaw {

// The place of some octets of a message in the capture.
struct Place {
  std::size_t offset = 0;  // offset of the first octet in the message
  std::size_t length = 0;
  std::uint64_t frame = 0;         // from 1
  std::uint32_t frame_offset = 0;  // octet in the frame; 0: unknown
};

// The octets of the message that a check looks at.
struct OctetRange {
  std::size_t offset = 0;
  std::size_t length = 0;
};

// Message::index of a check that is about no message, for example the end of a stream, or a side that sent nothing.
inline constexpr std::uint64_t kNoMessage = static_cast<std::uint64_t>(-1);

// One message of a trace. The caller owns the octets, which are valid during the call.
struct Message {
  Octets octets;                // octets of the message in the capture
  std::size_t wire_length = 0;  // octets on the wire; more than octets.size() if the capture cut them
  std::size_t begin = 0;        // if a part of a message is judged by itself: its offset in the message
  Side sender = Side::a;
  std::uint64_t index = 0;            // in the flow, from 0; shown to users from 1
  std::uint64_t frame = 0;            // in the capture, from 1; 0: there is no capture
  std::uint32_t frame_offset = 0;     // for a datagram: offset of its first octet in that frame; 0: unknown
  std::int64_t time_ns = 0;           // since the epoch, or since the start of a virtual run
  std::uint8_t ip_version = 0;        // 4, 6, or 0 if no IP packet was seen
  std::uint8_t ip_header_octets = 0;  // IP header with options or extension headers
  bool order_unknown = false;         // a neighbouring frame has the same time stamp, so their order is unknown
  std::uint8_t layer = 0;             // layer in the flow's stack; 0: the lowest
  // For the judge: the other side sent the message, and the missing reaction of `sender` is judged.
  bool unanswered = false;
  // Places of a message that was put together from several frames, ascending. They live as long as the octets.
  std::span<const Place> places = {};
  // For a datagram: the IP and UDP headers before it, which its own checksum may cover. Empty if the source does not
  // have them as sent.
  Octets headers = {};

  bool is_cut() const { return octets.size() < wire_length; }
};

// A message with nothing but octets, for tests and for transports without a network.
inline Message message_of(Octets octets, Side sender, std::uint64_t index, std::int64_t time_ns = 0) {
  return {.octets = octets,
          .wire_length = octets.size(),
          .sender = sender,
          .index = index,
          .frame = index + 1,
          .time_ns = time_ns};
}

}  // namespace wirelaw
