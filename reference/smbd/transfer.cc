// SPDX-License-Identifier: Apache-2.0
#include "reference/smbd/transfer.h"

#include <algorithm>

namespace wirelaw::smbd {

tl::expected<std::vector<Piece>, TransferError> plan_transfer(std::span<const BufferDescriptorV1> remote,
                                                              std::uint64_t offset, std::size_t octets) {
  std::vector<Piece> pieces;
  std::size_t done = 0;
  for (const BufferDescriptorV1& one : remote) {
    if (done == octets) break;
    if (one.offset + one.length < one.offset) return tl::unexpected(TransferError::wraps);
    if (offset >= one.length) {
      offset -= one.length;
      continue;
    }
    const auto length = static_cast<std::uint32_t>(std::min<std::uint64_t>(one.length - offset, octets - done));
    pieces.push_back({.at = {one.token, one.offset + offset}, .begin = done, .length = length});
    done += length;
    offset = 0;
  }
  if (done != octets) return tl::unexpected(TransferError::outside);
  return pieces;
}

}  // namespace wirelaw::smbd
