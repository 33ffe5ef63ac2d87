// SPDX-License-Identifier: Apache-2.0
// Cuts the streams of a connection into what lines can express: units, and the pieces in which they were sent.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "conformance/script/framing.h"

namespace wirelaw::script {

// The content of one line about a stream.
struct StreamLine {
  enum class Kind : std::uint8_t { open, unit, gap, push, close, reset };
  Kind kind = Kind::unit;
  Side sender = Side::a;
  std::int64_t time_ns = 0;
  OctetBuffer octets = {};                  // for a unit
  std::optional<OctetBuffer> message = {};  // the message in it; empty if the octets cannot be framed
  bool has_more = false;                    // the piece continues in a later line
  // For a push of only some of the held octets, or a gap: number of octets.
  std::optional<std::size_t> size = {};
  std::uint16_t mss = 0;  // for `open`
};

// Takes the pieces of one connection in order. The lines are made at the end, because a unit may begin long before it
// ends.
class StreamLines {
 public:
  explicit StreamLines(std::unique_ptr<Framing> framing) : framing_(std::move(framing)) {}

  void add(const StreamPiece& piece);
  // A line has the position of its first octet.
  std::vector<StreamLine> finish();
  // The first octet of some stream is missing.
  bool begins_later() const { return begins_later_; }

 private:
  struct Unit {
    std::uint64_t begin = 0;
    OctetBuffer octets;
    std::optional<OctetBuffer> message;
  };
  struct Direction {
    OctetBuffer open;         // octets of the incomplete unit
    std::uint64_t begin = 0;  // its offset in the stream
    std::vector<Unit> units;
    std::size_t next = 0;      // first unit without a line
    std::uint64_t said = 0;    // octets covered by lines
    std::uint64_t passed = 0;  // octets covered by pieces
  };
  struct Piece {
    StreamEvent event;
    Side sender;
    std::int64_t time_ns;
    std::uint64_t octets;  // for a gap: the missing octets
    std::uint16_t mss;
  };

  Direction& of(Side side) { return directions_[static_cast<std::size_t>(side)]; }
  void take(Side sender, Octets octets);
  void give_up(Side sender);
  void say(const Piece& piece, std::vector<StreamLine>& lines);

  std::unique_ptr<Framing> framing_;
  Direction directions_[2];
  std::vector<Piece> pieces_;
  bool begins_later_ = false;
};

}  // namespace wirelaw::script
