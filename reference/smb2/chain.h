// SPDX-License-Identifier: Apache-2.0
// State shared by the requests of a compound, and the result of one ([MS-SMB2] 3.3.5.2.7.2).
#pragma once

#include <optional>

#include "reference/smb2/bodies.h"
#include "reference/smb2/compound.h"
#include "reference/smb2/volume.h"

namespace wirelaw::smb2 {

// Octets that move by RDMA before the response is sent: from a file into buffers of the client, or back.
struct Movement {
  bool is_fetch = false;
  std::vector<ChannelBuffer> buffers = {};
  NodeId node = 0;
  std::uint64_t offset = 0;  // in the file
  std::uint32_t octets = 0;
};

struct Chain {
  std::uint64_t session = 0;
  std::uint32_t tree = 0;
  FileId file = {};
  std::uint32_t failed = status::kSuccess;  // status of the request that would have opened the file
  std::size_t room = 0;                     // octets left for the response
  std::vector<Movement> movements = {};
  std::optional<std::uint32_t> invalidate = {};  // token that the response invalidates
};

// An encoded body, which is appended to a compound unchanged.
struct Body {
  Octets octets;
};
inline void encode(const Body& body, OctetBuffer& out) {
  Writer(out).octets(body.octets);
}

// The body of a response; an error has a different one.
struct Result {
  std::uint32_t status = status::kSuccess;
  OctetBuffer body = {};
};

}  // namespace wirelaw::smb2
