// SPDX-License-Identifier: Apache-2.0
// Finds the beginning of a protocol in the two streams of a connection, after any earlier octets, and for any division
// into pieces. It keeps only the last few octets of a stream, the first ones too if its port is assigned to a protocol,
// and those after a possible key until the other side has answered it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "conformance/protocol.h"
#include "conformance/trace.h"

namespace wirelaw {

// Waiting pieces with their own copies of octets, in the order of arrival.
class HeldPieces {
 public:
  void add(const StreamPiece& piece) {
    held_.push_back({piece, {piece.octets.begin(), piece.octets.end()}});
    octets_ += piece.octets.size();
  }
  void clear() {
    held_.clear();
    octets_ = 0;
  }
  bool empty() const { return held_.empty(); }
  std::size_t octets() const { return octets_; }
  std::size_t pieces() const { return held_.size(); }
  std::size_t memory() const { return held_.capacity() * sizeof(Held) + octets_; }
  // Returns pieces whose octets belong to this object and are valid until it changes.
  std::vector<StreamPiece> pieces_of_it() const {
    std::vector<StreamPiece> all;
    for (const Held& one : held_) {
      all.push_back(one.piece);
      all.back().octets = one.octets;
    }
    return all;
  }

 private:
  struct Held {
    StreamPiece piece;
    OctetBuffer octets;
  };
  std::vector<Held> held_;
  std::size_t octets_ = 0;
};

class StreamSearch {
 public:
  // No key of a protocol is longer than this.
  static constexpr std::size_t kKeyOctets = 64;
  // The first octets of each side, which decide if the assigned port is believed.
  static constexpr std::size_t kHeadOctets = 2048;
  // The greatest number of held pieces.
  static constexpr std::size_t kMostHeld = 128;

  struct Beginning {
    const Protocol* protocol = nullptr;
    std::vector<StreamPiece> held;  // octets of it that came with earlier pieces; belong to the search, until its next
                                    // call
    std::size_t skip = 0;           // octets of the present piece before the beginning
    std::uint64_t passed_over = 0;  // octets of both sides in front of it, with those that the trace does not hold
    bool proven = false;  // a key at the beginning of the protocol proves it, so nothing of the protocol precedes it
    std::array<bool, 2> cut{};  // side a, side b: octets of the stream precede it
  };

  // The most octets held of a connection whose beginning was not captured.
  static constexpr std::size_t kMostOfMiddle = std::size_t{128} << 10;

  // `to_port` is as in Opening::to_port. `port_of` is the protocol to which, or to a protocol above which, one of the
  // ports is assigned.
  explicit StreamSearch(bool to_port = false, const Protocol* port_of = nullptr)
      : to_port_(to_port), port_of_(port_of) {}

  // Looks at the next piece of one side. `by_port` is the protocol of an assigned port. It counts if the first octets
  // of both sides are plausible, and is set to nullptr once they are not.
  std::optional<Beginning> take(const StreamPiece& piece, std::span<const Protocol* const> protocols,
                                const Protocol*& by_port);
  // The flow has ended: decides with the octets seen so far.
  std::optional<Beginning> finish(const Protocol*& by_port);

  // The side's first piece, usually `opened`. Empty if it has sent nothing.
  const std::optional<StreamPiece>& opened(Side side) const { return of(side).opened; }
  std::uint64_t octets() const { return of(Side::a).seen + of(Side::b).seen; }
  std::size_t memory() const;

 private:
  struct Direction {
    std::optional<StreamPiece> opened;
    std::uint64_t seen = 0;  // octets
    std::uint64_t end = 0;   // offset in the stream after the last octet seen
    OctetBuffer tail;        // the last octets
    StreamPiece last;        // the piece with the last octets
    OctetBuffer head;        // the first octets
    bool from_start = true;
    bool is_late = false;  // the trace lacks its beginning
  };
  // A key whose answer is awaited.
  struct Candidate {
    const Protocol* protocol = nullptr;
    Side sender = Side::a;
    bool is_first = false;  // its side has sent nothing before it
    std::array<bool, 2> cut{};
    std::uint64_t passed_over = 0;
    OctetBuffer from_key, answer;
    HeldPieces held;
  };

  // The octets of both sides since a segment that may be in the middle of this protocol.
  struct InMiddle {
    const Protocol* protocol = nullptr;
    std::uint64_t passed_over = 0;
    std::array<OctetBuffer, 2> from_segment;
    HeldPieces held;
  };

  std::optional<Beginning> in_middle(const StreamPiece& piece, std::span<const Protocol* const> protocols);
  bool begin_middle(const StreamPiece& piece, std::span<const Protocol* const> protocols);
  std::optional<Beginning> by_content(const StreamPiece& piece, std::span<const Protocol* const> protocols,
                                      const Protocol*& assigned);
  std::optional<Beginning> at(const Protocol& protocol, std::uint64_t offset, const StreamPiece& piece,
                              const Protocol*& assigned);
  std::optional<Beginning> settle_candidate(const StreamPiece& piece);
  std::optional<Beginning> by_port(const Protocol*& assigned, bool is_all, bool is_certain);
  void keep_head(const StreamPiece& piece);

  Direction& of(Side side) { return directions_[side == Side::b]; }
  const Direction& of(Side side) const { return directions_[side == Side::b]; }

  bool to_port_;
  const Protocol* port_of_;
  Direction directions_[2];
  OctetBuffer joint_;  // the tail and the octets after it
  HeldPieces heads_;   // the pieces of both sides so far, if a port is assigned
  std::optional<Candidate> candidate_;
  std::unique_ptr<InMiddle> middle_;
};

}  // namespace wirelaw
