// SPDX-License-Identifier: Apache-2.0
// The streams of a connection cut into what lines can say: units, and the pieces in which they were sent.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "conformance/script/framing.h"

namespace wirelaw::script {

// What one line says of a stream.
struct StreamLine {
  enum class Kind : std::uint8_t { open, unit, gap, push, close, reset };
  Kind kind = Kind::unit;
  Side sender = Side::a;
  std::int64_t time_ns = 0;
  OctetBuffer octets = {};                  // of a unit
  std::optional<OctetBuffer> message = {};  // that these carry; nothing if they cannot be framed
  bool has_more = false;                    // it goes out with a later line
  std::optional<std::size_t> size = {};     // of a push that is not all that was held back; octets of a gap
  std::uint16_t mss = 0;                    // of `open`
};

// Pieces in their order, all of one connection; the lines come at the end, since a unit may begin long before it ends.
class StreamLines {
 public:
  explicit StreamLines(std::unique_ptr<Framing> framing) : framing_(std::move(framing)) {}

  void add(const StreamPiece& piece);
  // A line stands where its first octet was sent.
  std::vector<StreamLine> finish();
  // The first octet of some stream is not there.
  bool begins_later() const { return begins_later_; }

 private:
  struct Unit {
    std::uint64_t begin = 0;
    OctetBuffer octets;
    std::optional<OctetBuffer> message;
  };
  struct Direction {
    OctetBuffer open;         // octets of the unit that is not whole yet
    std::uint64_t begin = 0;  // where they begin in the stream
    std::vector<Unit> units;
    std::size_t next = 0;      // unit that no line says yet
    std::uint64_t said = 0;    // octets that lines have said
    std::uint64_t passed = 0;  // octets that pieces have carried
  };
  struct Piece {
    StreamEvent event;
    Side sender;
    std::int64_t time_ns;
    std::uint64_t octets;  // or those that are missing
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
