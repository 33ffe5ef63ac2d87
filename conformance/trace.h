// SPDX-License-Identifier: Apache-2.0
// A trace: the ordered messages of one conversation, whatever carried them.
#pragma once

#include <cstdint>
#include <span>

#include "reference/network/stream_piece.h"
#include "reference/octets/octets.h"

namespace wirelaw {

// Where octets of a message are in the capture.
struct Place {
  std::size_t offset = 0;  // of the first of them, in the message
  std::size_t length = 0;
  std::uint64_t frame = 0;         // from 1
  std::uint32_t frame_offset = 0;  // octet of the frame; 0 where that is not known
};

// Message::index of what is about no message: the end of a stream, say, or a side that has sent nothing.
inline constexpr std::uint64_t kNoMessage = static_cast<std::uint64_t>(-1);

// One message as it was found. The octets belong to the caller and live for the length of the call.
struct Message {
  Octets octets;                // what the capture holds of the message
  std::size_t wire_length = 0;  // octets that were on the wire; more than octets.size() where the capture cut them
  std::size_t begin = 0;        // of a part of a message that is judged by itself: where in the message it begins
  Side sender = Side::a;
  std::uint64_t index = 0;            // in the flow, from 0; people see it from 1
  std::uint64_t frame = 0;            // in the capture, from 1; 0 where there is no capture
  std::uint32_t frame_offset = 0;     // of a datagram: octet of that frame where it begins; 0 where that is not known
  std::int64_t time_ns = 0;           // since the epoch, or since the beginning of a virtual run
  std::uint8_t ip_version = 0;        // 4, 6, or 0 where no IP packet was seen
  std::uint8_t ip_header_octets = 0;  // length of the IP header with its options or extension headers
  bool order_unknown = false;         // a neighbouring frame has the same time stamp: which came first is not known
  std::uint8_t layer = 0;             // of the flow's stack that it belongs to: 0 the lowest
  bool unanswered = false;            // for the judge: the other sent it, and what `sender` owes behind it is judged
  std::span<const Place> places =
      {};  // of a message that was put together from several frames: ascending; as the octets
  // Of a datagram: the IP and UDP headers in front of it, which a checksum of its own may cover. None where the source
  // does not have them as they were sent.
  Octets headers = {};

  bool is_cut() const { return octets.size() < wire_length; }
};

// A message of its octets alone, for tests and for transports without a network below them.
inline Message message_of(Octets octets, Side sender, std::uint64_t index, std::int64_t time_ns = 0) {
  return {.octets = octets,
          .wire_length = octets.size(),
          .sender = sender,
          .index = index,
          .frame = index + 1,
          .time_ns = time_ns};
}

}  // namespace wirelaw
