// SPDX-License-Identifier: Apache-2.0
// The work that an endpoint passes to the RDMA layer, in order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "reference/octets/octets.h"

namespace wirelaw::smbd {

using Token = std::uint32_t;  // a Steering Tag (2.2.3.1)
using WorkId = std::uint64_t;

// One receive. Messages are delivered into receives in the order of posting.
struct PostReceive {
  std::size_t octets = 0;
};

// One message, which is reported by completed(). With a token: Send with Invalidate.
struct PostSend {
  WorkId id = 0;
  OctetBuffer octets;
  std::optional<Token> invalidate;
};

// A place in the peer's buffer.
struct RemoteBuffer {
  Token token = 0;
  std::uint64_t offset = 0;
  friend constexpr bool operator==(const RemoteBuffer&, const RemoteBuffer&) = default;
};

struct PostWrite {
  WorkId id = 0;
  RemoteBuffer to;
  OctetBuffer octets;
};

// Reads into memory of the upper layer, which stays valid until completed().
struct PostRead {
  WorkId id = 0;
  RemoteBuffer from;
  std::span<Octet> into;
};

// Ends the connection; no work follows. In order: earlier work is still sent.
struct Disconnect {
  bool abortive = false;
};

using Work = std::variant<PostReceive, PostSend, PostWrite, PostRead, Disconnect>;

}  // namespace wirelaw::smbd
