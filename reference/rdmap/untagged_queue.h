// SPDX-License-Identifier: Apache-2.0
// The order of one untagged queue at the data sink (RFC 5041, 4.3 and 7.1): MSN by MSN, and octet by octet within a
// message. The transport delivers in order, so a segment that is not the next one is an error of its sender.
#pragma once

#include <optional>

#include "reference/rdmap/terminate.h"

namespace wirelaw::rdmap {

class UntaggedQueue {
 public:
  explicit UntaggedQueue(std::uint32_t first_msn) : msn_(first_msn) {}

  // Returns the error of a segment, for a buffer of this size, or without a buffer.
  std::optional<ErrorCode> check(const ddp::Header& header, std::size_t octets,
                                 std::optional<std::size_t> capacity) const {
    if (header.msn != msn_) return error::kDdpMsnRange;
    if (!capacity) return error::kDdpNoBuffer;
    if (header.mo != placed_) return error::kDdpInvalidMo;
    if (std::uint64_t{placed_} + octets > *capacity) return error::kDdpTooLong;
    return std::nullopt;
  }

  // Takes the next segment. Returns true if it ends its message.
  void take(const ddp::Header& header, std::size_t octets) {
    placed_ = header.last ? 0 : placed_ + static_cast<std::uint32_t>(octets);
    amid_ = !header.last;
    if (header.last) ++msn_;  // wraps to 0 (4.3)
  }
  // Accepts the segment as the next one, whatever its MSN and MO are.
  void follow(const ddp::Header& header) {
    msn_ = header.msn;
    placed_ = header.mo;
  }

  std::uint32_t placed() const { return placed_; }  // octets of the incomplete message
  bool amid_message() const { return amid_; }

 private:
  std::uint32_t msn_;
  std::uint32_t placed_ = 0;
  bool amid_ = false;
};

}  // namespace wirelaw::rdmap
