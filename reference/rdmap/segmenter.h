// SPDX-License-Identifier: Apache-2.0
// Cuts a DDP message into segments (RFC 5041, 5.2), one at a time, in ascending order.
#pragma once

#include <algorithm>

#include "reference/ddp/segment.h"

namespace wirelaw::rdmap {

class Segmenter {
 public:
  struct Piece {
    ddp::Header header;        // with TO or MO, and L
    std::uint32_t offset = 0;  // offset of the payload in the message
    std::uint32_t octets = 0;
    bool first = false;
  };

  Segmenter() = default;  // no segment is left
  // `first` is the header of a message's first segment. A segment, including its header, has at most `mulpdu` octets.
  Segmenter(const ddp::Header& first, std::uint32_t octets, std::size_t mulpdu)
      : header_(first), left_(octets), room_(static_cast<std::uint32_t>(mulpdu - first.octets())), done_(false) {}

  bool done() const { return done_; }

  Piece next() {
    Piece piece{.header = header_, .offset = offset_, .octets = std::min(left_, room_), .first = offset_ == 0};
    if (header_.tagged) {
      piece.header.to += offset_;
    } else {
      piece.header.mo += offset_;
    }
    left_ -= piece.octets;
    offset_ += piece.octets;
    done_ = left_ == 0;
    piece.header.last = done_;
    return piece;
  }

 private:
  ddp::Header header_;
  std::uint32_t left_ = 0;
  std::uint32_t offset_ = 0;
  std::uint32_t room_ = 0;
  bool done_ = true;
};

}  // namespace wirelaw::rdmap
