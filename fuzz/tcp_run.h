// SPDX-License-Identifier: Apache-2.0
// The segments of the steps (corpora/formats/tcp_steps.h) before TCP reassembly, and the conditions for its output.
// Shared by fuzz_tcp and fuzz_tcp_stream.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "corpora/formats/tcp_steps.h"
#include "fuzz/lent_octets.h"
#include "fuzz/target.h"
#include "pcap/tcp_connection.h"

namespace wirelaw::fuzz {

using corpora::TcpStep;
using corpora::TcpSteps;
using pcap::Segment;
using pcap::TcpConnection;
using pcap::TcpFlags;

// The steps, up to a limit.
inline TcpSteps read_tcp_input(Octets input) {
  constexpr std::size_t kMostSteps = 256;
  TcpSteps conversation = corpora::read_tcp_steps(input);
  if (conversation.steps.size() > kMostSteps) conversation.steps.resize(kMostSteps);
  return conversation;
}

// A segment and the octets that it carries.
class TcpWire {
 public:
  explicit TcpWire(const TcpSteps& conversation) : isn_{conversation.isn_a, conversation.isn_b} {}

  Segment segment(const TcpStep& step) {
    namespace control = corpora::tcp_control;
    const bool side_b = (step.control & control::kSideB) != 0;
    const bool syn = (step.control & control::kSyn) != 0;
    Segment segment;
    segment.frame = ++frame_;
    segment.time_ns = static_cast<std::int64_t>(frame_);
    segment.seq = isn_[side_b ? 1 : 0] + step.offset + (syn ? 0 : 1);
    segment.ack = isn_[side_b ? 0 : 1] + 1 + step.ack;
    const auto flag = [&](Octet bit, std::uint8_t there) {
      return static_cast<std::uint8_t>((step.control & bit) != 0 ? there : 0);
    };
    segment.flags.bits |= flag(control::kSyn, TcpFlags::kSyn);
    segment.flags.bits |= flag(control::kFin, TcpFlags::kFin);
    segment.flags.bits |= flag(control::kRst, TcpFlags::kRst);
    segment.flags.bits |= flag(control::kAck, TcpFlags::kAck);
    const std::span<Octet> payload = payloads_.lend(step.length % corpora::kTcpMostPayload);
    corpora::fill_tcp_octets(payload.data(), payload.size(), side_b, step.offset);
    if ((step.control & control::kDiffers) != 0)
      for (Octet& octet : payload) octet ^= 0x55;
    segment.payload = payload;
    segment.wire_length = static_cast<std::uint32_t>(payload.size()) + step.cut;
    return segment;
  }

 private:
  std::uint32_t isn_[2];
  std::uint64_t frame_ = 0;
  LentOctets payloads_{corpora::kTcpMostPayload};
};

// Checks the pieces of one connection.
class TcpDelivered {
 public:
  // `honest`: all payloads agree with the streams.
  TcpDelivered(const TcpSteps& conversation, bool honest) : script_(conversation), honest_(honest) {}

  void during(const Segment& segment, bool from_a) {
    taken_.push_back({segment.frame, segment.seq + (segment.flags.syn() ? 1 : 0), segment.ack, from_a});
  }
  void operator()(const StreamPiece& piece) {
    Direction& side = sides_[piece.sender == Side::a ? 0 : 1];
    require(!reset_, "nothing follows a reset");
    require(piece.event == StreamEvent::reset || !side.closed, "nothing of a side follows its end");
    require(piece.offset == side.next, "pieces follow each other");
    require(piece.event == StreamEvent::opened || piece.event == StreamEvent::reset || side.base, "a side opens first");
    require((piece.event == StreamEvent::octets) == !piece.octets.empty(), "octets have octets, others have none");
    switch (piece.event) {
      case StreamEvent::opened:
        require(!side.base && piece.offset == 0, "a side opens once");
        side.base = base(piece);
        break;
      case StreamEvent::octets:
        require(piece.missing == 0, "octets miss nothing");
        check_octets(piece, *side.base);
        octets_ += piece.octets.size();
        break;
      case StreamEvent::gap:
        require(piece.missing != 0, "a gap misses something");
        ++gaps_;
        break;
      case StreamEvent::closed:
        side.closed = true;
        break;
      case StreamEvent::reset:
        reset_ = true;
        break;
    }
    side.next += piece.octets.size() + piece.missing;
  }

  std::uint64_t octets() const { return octets_; }
  std::uint64_t gaps() const { return gaps_; }
  std::uint64_t length(bool side_b) const { return sides_[side_b ? 1 : 0].next; }
  bool closed(bool side_b) const { return sides_[side_b ? 1 : 0].closed; }
  bool ended() const { return reset_ || (sides_[0].closed && sides_[1].closed); }

 private:
  struct Direction {
    std::optional<std::uint32_t> base;  // the target's offset for offset 0 of the connection
    std::uint64_t next = 0;
    bool closed = false;
  };

  struct Taken {
    std::uint64_t frame;
    std::uint32_t first, ack;  // sequence numbers of the segment's first octet and of its acknowledgement
    bool from_a;
  };

  // A side opens with its own segment, or with the other's answer to a SYN that was not captured. The piece may have
  // waited.
  std::uint32_t base(const StreamPiece& piece) const {
    const std::uint32_t isn = piece.sender == Side::a ? script_.isn_a : script_.isn_b;
    const auto opening = std::ranges::find(taken_, piece.frame, &Taken::frame);
    require(opening != taken_.end(), "a piece names the frame that brought it");
    return ((piece.sender == Side::a) == opening->from_a ? opening->first : opening->ack) - isn - 1;
  }
  void check_octets(const StreamPiece& piece, std::uint32_t base) const {
    if (!honest_) return;
    std::array<Octet, 256> sent;
    for (std::size_t done = 0; done < piece.octets.size(); done += sent.size()) {
      const Octets part = piece.octets.subspan(done, std::min(sent.size(), piece.octets.size() - done));
      corpora::fill_tcp_octets(sent.data(), part.size(), piece.sender == Side::b,
                               base + static_cast<std::uint32_t>(piece.offset + done));
      require(std::equal(part.begin(), part.end(), sent.begin()), "an octet is the one that was sent");
    }
  }

  const TcpSteps& script_;
  bool honest_;
  std::vector<Taken> taken_;
  Direction sides_[2];
  bool reset_ = false;
  std::uint64_t octets_ = 0, gaps_ = 0;
};

}  // namespace wirelaw::fuzz
