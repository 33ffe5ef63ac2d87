// SPDX-License-Identifier: Apache-2.0
// What the application above a reference listener can be asked for beside an echo, in a private message format, as
// SMB2 asks for the data of reads and writes: to fetch from the sender's registered buffers, or to store there.
//
//   "WLRDMA", 1 octet kFetch or kStore, 1 octet number of descriptors; the octets to be moved from `offset` on of what
//   the descriptors name, both 32 bits; the descriptors; then, of kStore, the octets themselves
//
// Fetched octets come back in the answer; the answer to a store is the request without its octets.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/smbd/message.h"

namespace wirelaw::smbd {

struct TransferRequest {
  enum class Kind : std::uint8_t { fetch = 'F', store = 'S' };
  Kind kind = Kind::fetch;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  std::vector<BufferDescriptorV1> remote = {};
  OctetBuffer data = {};  // the `length` octets of a store; empty for others
};

inline constexpr std::size_t kMostDescriptors = 16;

OctetBuffer encode(const TransferRequest& request);
// Nothing if the octets are no such request.
std::optional<TransferRequest> decode_transfer_request(Octets octets);

}  // namespace wirelaw::smbd
