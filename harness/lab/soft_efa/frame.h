// SPDX-License-Identifier: Apache-2.0
// The soft-EFA frame: how RDMA reads and writes travel between two soft devices. It is no part of the EFA protocol: a
// real device does this in hardware, and its frames are unknown. Frames go from port QPN + 1 to port QPN + 1, so that
// the ports QPN themselves carry EFA packets alone. Integers are little-endian.
//
//   octet  length  field
//       0       8  magic: "WLsoftE1"
//       8       1  kind
//       9       1  reason, of `refused`
//      10       1  flags: 1 has immediate data, 2 is the last segment
//      11       1  0
//      12       4  qkey of the queue pair that it is for: a frame with another is dropped
//      16       4  qkey of the sender, for the answer
//      20       4  token: the requester's number for the operation
//      24       8  address in the remote memory, of this segment
//      32       8  offset of the segment in the operation
//      40       4  key of the remote memory
//      44       4  length of the segment
//      48       4  length of the operation
//      52       4  immediate data, in network order
//      56          data, of `read_data` and `write_data`
//
// A requester splits an operation into segments and asks for each by itself (`read`: octets please; `write_data`: these
// octets), with a bounded number of them outstanding; the responder keeps nothing between frames. A segment that is not
// answered (`read_data`, `written`, `refused`) is sent again. The last segment of a write with immediate data goes out
// when all others have been answered, and completes a receive of the responder once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "harness/lab/soft_efa/memory.h"

namespace wirelaw::soft_efa {

enum class FrameKind : std::uint8_t { read = 1, read_data = 2, write_data = 3, written = 4, refused = 5 };

inline constexpr std::size_t kFrameHeader = 56;
inline constexpr std::uint32_t kSegment = 8192;  // octets of data, at most
inline constexpr std::uint8_t kHasImmediate = 1;
inline constexpr std::uint8_t kLastSegment = 2;

struct Frame {
  FrameKind kind = FrameKind::read;
  Reach reason = Reach::there;
  std::uint8_t flags = 0;
  std::uint32_t qkey = 0;
  std::uint32_t reply_qkey = 0;
  std::uint32_t token = 0;
  std::uint64_t address = 0;
  std::uint64_t offset = 0;
  std::uint32_t key = 0;
  std::uint32_t length = 0;
  std::uint32_t total = 0;
  std::uint32_t immediate = 0;  // in this machine's byte order
  std::span<const std::uint8_t> data = {};

  friend bool operator==(const Frame& a, const Frame& b);
};

// The header; `frame.data` is sent after it.
void encode(const Frame& frame, std::span<std::uint8_t, kFrameHeader> out);
// Empty if the octets are no frame. `data` of the result has exactly `length` octets in the kinds that carry data, and
// is empty in others.
std::optional<Frame> decode(std::span<const std::uint8_t> octets);

}  // namespace wirelaw::soft_efa
