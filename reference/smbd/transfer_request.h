// SPDX-License-Identifier: Apache-2.0
// Requests to the application above a reference listener in a private message format, in addition to echo. As in SMB2,
// the listener fetches data from the sender's registered buffers, or stores data there.
//
//   "WLRDMA", 1 octet kFetch or kStore, 1 octet number of descriptors; the octets to be moved from `offset` on of what
//   the descriptors name, both 32 bits; the descriptors; then, of kStore, the octets themselves
//
// The response contains the fetched octets; the response to a store is the request without its octets.
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
  OctetBuffer data = {};  // `length` octets of a store; else empty
};

inline constexpr std::size_t kMostDescriptors = 16;

OctetBuffer encode(const TransferRequest& request);
// Returns nothing if the octets are not such a request.
std::optional<TransferRequest> decode_transfer_request(Octets octets);

}  // namespace wirelaw::smbd
