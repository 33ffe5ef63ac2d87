// SPDX-License-Identifier: Apache-2.0
// Where a protocol begins in the two streams of a connection, whatever was said on it before, and however what shows it
// is cut. What is kept of a stream meanwhile are its last few octets.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "conformance/protocol.h"
#include "conformance/trace.h"

namespace wirelaw {

class StreamSearch {
 public:
  // What shows a protocol is not longer than this.
  static constexpr std::size_t kKeyOctets = 64;

  struct Beginning {
    const Protocol* protocol = nullptr;
    std::vector<StreamPiece> held;  // octets of it that came with earlier pieces; belong to the search, until its next
                                    // call
    std::size_t skip = 0;           // octets of the present piece in front of it
    std::uint64_t passed_over = 0;  // octets of both sides in front of it, with those that the trace does not hold
  };

  // Looks at the next piece of one side. `by_port` is the protocol to which a port is assigned: believed where the
  // first octets of a side are plausible, and nullptr from when they are not.
  std::optional<Beginning> take(const StreamPiece& piece, std::span<const Protocol* const> protocols,
                                const Protocol*& by_port);

  // The side's first piece, if it has said anything; `opened`.
  const std::optional<StreamPiece>& opened(Side side) const { return of(side).opened; }
  std::uint64_t octets() const { return of(Side::a).seen + of(Side::b).seen; }

 private:
  struct Direction {
    std::optional<StreamPiece> opened;
    std::uint64_t seen = 0;  // octets
    std::uint64_t end = 0;   // of what has been seen, in the stream
    OctetBuffer tail;        // the last of them
    StreamPiece last;        // that brought them
  };

  std::optional<Beginning> by_content(const StreamPiece& piece, std::span<const Protocol* const> protocols);
  std::optional<Beginning> by_port(const StreamPiece& piece, const Protocol*& assigned);

  Direction& of(Side side) { return directions_[side == Side::b]; }
  const Direction& of(Side side) const { return directions_[side == Side::b]; }

  Direction directions_[2];
  OctetBuffer joint_;  // the tail and what follows it
};

}  // namespace wirelaw
