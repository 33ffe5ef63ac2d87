// SPDX-License-Identifier: Apache-2.0
// Which parts of a peer's buffer an RDMA Read or Write of the upper layer touches (3.1.4.5, 3.1.4.6).
#pragma once

#include <cstdint>
#include <span>
#include <tl/expected.hpp>
#include <vector>

#include "reference/smbd/message.h"
#include "reference/smbd/work.h"

namespace wirelaw::smbd {

enum class TransferError : std::uint8_t {
  not_established,
  too_long,  // above MaxReadWriteSize
  outside,   // beyond what the descriptors describe
  wraps,     // a descriptor's Offset plus Length is beyond 64 bits
  too_many,  // transfers under way
};

// One RDMA operation: `length` octets of the local buffer from `begin` on.
struct Piece {
  RemoteBuffer at;
  std::size_t begin = 0;
  std::uint32_t length = 0;
  friend bool operator==(const Piece&, const Piece&) = default;
};

// The descriptors' Lengths are consumed up to `offset`, and then up to `octets` more: the first descriptor that is
// touched is cut at its beginning, the last at its end. Descriptors without octets are passed over.
tl::expected<std::vector<Piece>, TransferError> plan_transfer(std::span<const BufferDescriptorV1> remote,
                                                              std::uint64_t offset, std::size_t octets);

}  // namespace wirelaw::smbd
