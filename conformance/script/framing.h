// SPDX-License-Identifier: Apache-2.0
// Frames the messages of a protocol in the streams of a connection. A framing sees everything that both sides send, so
// it knows what they have negotiated. It repairs what a line changes: lengths, markers and checksums.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/script/located.h"
#include "reference/network/stream_piece.h"
#include "reference/octets/octets.h"

namespace wirelaw::script {

// The layers that a line may name after a slash, from the top down: "/ ddp[2] mo=4 / fpdu crc^=1". Empty if the
// protocol has no such layer. The layer "tcp" always exists.
struct Layers {
  std::string_view segment = {};  // the parts of a message: "ddp"
  std::string_view frame = {};    // the frame around each part: "fpdu"
  std::string_view sealed = {};   // a field computed over the rest of the frame: "crc"
};

// The next framed unit of a stream.
struct Unit {
  std::size_t length = 0;                // octets of the stream
  std::optional<OctetBuffer> message{};  // the message in it; empty if the octets cannot be framed
};

// Both directions of one connection.
class Framing {
 public:
  virtual ~Framing() = default;
  virtual std::unique_ptr<Framing> copy() const = 0;

  // --- for a sender
  // Returns the segments of a message, in order.
  virtual std::vector<OctetBuffer> segments(Side sender, Octets message) const = 0;
  // Returns the octets of the stream for the next segment. The error is the reason why there are none.
  virtual tl::expected<OctetBuffer, std::string> wrap(Side sender, Octets segment) const = 0;
  // Returns the fields of a frame as it would be sent next.
  virtual std::vector<Located> locate(Side sender, Octets frame) const = 0;
  // Computes Layers::sealed again for a frame that was edited.
  virtual void seal(Side sender, OctetBuffer& frame) const = 0;

  // --- for a receiver
  // Returns the first unit in octets that have not passed yet. Empty if more octets are needed.
  virtual std::optional<Unit> next(Side sender, Octets stream) const = 0;

  // --- for both
  // The side announced this maximum segment size; 0: unknown.
  virtual void opened(Side sender, std::uint16_t mss) = 0;
  // These octets have passed. `segment` is their content; empty if they cannot be framed.
  virtual void passed(Side sender, Octets octets, Octets segment) = 0;
};

}  // namespace wirelaw::script
