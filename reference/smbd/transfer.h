// SPDX-License-Identifier: Apache-2.0
// Selects the parts of a peer's buffer that an RDMA Read or Write of the upper layer accesses (3.1.4.5, 3.1.4.6).
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
  outside,   // beyond the buffer in the descriptors
  wraps,     // the sum of Offset and Length of a descriptor exceeds 64 bits
  too_many,  // too many transfers in progress
};

// One RDMA operation: `length` octets of the local buffer from `begin` on.
struct Piece {
  RemoteBuffer at;
  std::size_t begin = 0;
  std::uint32_t length = 0;
  friend bool operator==(const Piece&, const Piece&) = default;
};

// Skips `offset` octets of the descriptors' Lengths, then uses `octets` octets: the first descriptor used is cut at its
// beginning, the last one at its end. Descriptors without octets are skipped.
tl::expected<std::vector<Piece>, TransferError> plan_transfer(std::span<const BufferDescriptorV1> remote,
                                                              std::uint64_t offset, std::size_t octets);

}  // namespace wirelaw::smbd
