// SPDX-License-Identifier: Apache-2.0
// How the messages of a protocol lie in the streams of a connection. A framing knows what both sides have negotiated,
// because everything that they send passes it. It repairs what a line changes: lengths, markers and checksums.
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

// What a line may write after a slash, from the top down: "/ ddp[2] mo=4 / fpdu crc^=1". Empty if the protocol has no
// such layer. The layer "tcp" is always there.
struct Layers {
  std::string_view segment = {};  // the parts into which a sender cuts a message: "ddp"
  std::string_view frame = {};    // what carries each of them in the stream: "fpdu"
  std::string_view sealed = {};   // a field of the frame that is computed from all others: "crc"
};

// The first octets of a stream.
struct Unit {
  std::size_t length = 0;                // octets of the stream, from its head
  std::optional<OctetBuffer> message{};  // that they carry; nothing if they cannot be framed
};

// Both directions of one connection.
class Framing {
 public:
  virtual ~Framing() = default;
  virtual std::unique_ptr<Framing> copy() const = 0;

  // --- for a sender
  // The segments of a message, in their order.
  virtual std::vector<OctetBuffer> segments(Side sender, Octets message) const = 0;
  // The octets of the stream that carry a segment next. The error says why there are none.
  virtual tl::expected<OctetBuffer, std::string> wrap(Side sender, Octets segment) const = 0;
  // The fields of a frame that was wrapped next.
  virtual std::vector<Located> locate(Side sender, Octets frame) const = 0;
  // Computes Layers::sealed again for a frame that was edited.
  virtual void seal(Side sender, OctetBuffer& frame) const = 0;

  // --- for a receiver
  // The first unit in the octets that have not passed yet; nothing if more are needed.
  virtual std::optional<Unit> next(Side sender, Octets stream) const = 0;

  // --- for both
  // The maximum segment size that this side announced; 0: not known.
  virtual void opened(Side sender, std::uint16_t mss) = 0;
  // These octets have passed. `segment` is what they carry; empty if they cannot be framed.
  virtual void passed(Side sender, Octets octets, Octets segment) = 0;
};

}  // namespace wirelaw::script
