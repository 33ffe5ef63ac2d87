// SPDX-License-Identifier: Apache-2.0
// Both directions of one TCP connection, from its segments in the order of the capture. No I/O, no clock, and bounded
// memory for any input.
//
//   TcpConnection connection;
//   if (!connection.take(segment, from_a, [&](const StreamPiece& piece) { … })) // the ports are another connection's
//
// A segment in order is delivered without a copy. What a side sends is delivered after the octets that it acknowledges,
// even if those are captured later (pcap/tcp_waiting.h). It waits for them until too much is held,
// TcpConnection::kPatience has passed in the capture, or the capture ends; then they are missing. Urgent data (RFC
// 6093) are treated as ordinary octets.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "pcap/stream_piece.h"
#include "pcap/tcp.h"
#include "pcap/tcp_stream.h"
#include "pcap/tcp_waiting.h"

namespace wirelaw::pcap {

// Returns the time from `earlier_ns` to `later_ns`. It wraps if it does not fit 64 bits, since a file may contain any
// time stamps.
inline std::int64_t nanoseconds_from(std::int64_t earlier_ns, std::int64_t later_ns) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(later_ns) - static_cast<std::uint64_t>(earlier_ns));
}

class TcpConnection {
 public:
  // Segments wait this long, in nanoseconds, for the octets that they acknowledge.
  static constexpr std::int64_t kPatience = 10'000'000'000;
  // Limits the octets that wait for a side of which nothing was captured. In captures of one direction, nearly all
  // octets do.
  static constexpr std::size_t kHeldForSilence = std::size_t{1} << 15;

  explicit TcpConnection(const TcpLimits& limits = {}) : limits_(limits), a_(limits, true), b_(limits, false) {}

  // Takes a segment that one side sent. Calls `sink`, which must not call back, with each piece. Returns false if the
  // segment opens another connection between the same ports: this connection is then finished, and the segment, which
  // was not taken, is the first of the other one.
  template <class Sink>
  bool take(const Segment& segment, bool from_a, Sink&& sink) {
    TcpStream& mine = from_a ? a_ : b_;
    const TcpStream& other = from_a ? b_ : a_;
    constexpr std::uint8_t kPlain = TcpFlags::kAck | TcpFlags::kPsh | TcpFlags::kUrg | TcpFlags::kEce | TcpFlags::kCwr;
    const bool plain = (segment.flags.bits & ~kPlain) == 0;
    const bool acks_new_data = segment.flags.ack() && other.is_open() && other.distance(segment.ack) > 0;
    const bool may_wait = !other.is_heard() && mine.from_start() && !is_alone_;
    if (plain && !acks_new_data && !may_wait && !over_ && !waiting_ && mine.is_due(segment)) [[likely]] {
      note_window(segment, from_a);
      ++notes_.counts.segments;
      last_ = TcpStream::origin_of(segment);
      Receipt& receipt = receipts_[from_a ? 0 : 1];
      mine.deliver_due(segment, segment.flags.ack() && other.is_delivered_to(segment.ack),
                       receipt.octets_at(segment.time_ns), notes_, sink);
      if (segment.wire_length == 0)
        note_receipt(receipt, segment, mine, other, shut_[from_a ? 0 : 1].is_shut);
      else if (segment.flags.ack() && other.is_open() && other.distance(segment.ack) == 0)
        receipts_[from_a ? 1 : 0].answered = {.own = other.next(), .others = mine.next()};
      return true;
    }
    return take_in_order(segment, from_a, PieceSink(sink));
  }

  // Call it when the capture ends or the flow is given up: delivers what is held, with its gaps, and nothing
  // afterwards.
  template <class Sink>
  void finish(Sink&& sink) {
    finish_with(PieceSink(sink));
  }

  // True if both sides have closed, one has reset, or it was finished. Later segments are only counted.
  bool over() const { return over_; }
  std::size_t memory() const { return sizeof *this + a_.memory() + b_.memory() + (waiting_ ? waiting_->memory() : 0); }

  // The time until which the other side had no room for octets that this one might have sent; kStillShut if it still
  // has none, 0 if it always had room.
  static constexpr std::int64_t kStillShut = std::numeric_limits<std::int64_t>::max();
  std::int64_t held_until_ns(Side side) const {
    const Window& peers = shut_[side == Side::a ? 0 : 1];
    return peers.is_shut ? kStillShut : peers.until_ns;
  }

  const TcpCounts& counts() const { return notes_.counts; }
  std::span<const TcpFlaw> flaws() const { return notes_.flaws; }  // the first of each kind

 private:
  // The receive window that a side announces.
  struct Window {
    bool is_shut = false;
    std::int64_t until_ns = 0;  // the last time at which it was shut
  };
  // How much of the other stream a side's program must have received. An acknowledgment alone does not show it, because
  // it comes from TCP, and the segment's octets may have waited for long, or may be a retransmission of octets lost
  // before the capture. Proof is a segment without octets (its number is that of the next unsent octet) that
  // acknowledges octets which arrived with an acknowledgment of everything that its sender had sent: waiting octets
  // would have been sent now. Octets that the side sends a second later are sent with knowledge of these octets.
  struct Receipt {
    static constexpr std::int64_t kReadWithin = 1'000'000'000;
    struct Answered {
      std::uint64_t own = 0;     // octets that this side has sent, all acknowledged
      std::uint64_t others = 0;  // by the other side's octets up to this one
    };
    Answered answered;
    std::uint64_t proven = 0;  // octets of the other side that were proven to be received
    std::uint64_t latest = 0;  // octets that this side acknowledged last; the time follows
    std::int64_t latest_ns = 0;

    std::uint64_t octets_at(std::int64_t now_ns) const {
      return latest != 0 && nanoseconds_from(latest_ns, now_ns) >= kReadWithin ? latest : proven;
    }
  };
  static void note_receipt(Receipt& receipt, const Segment& segment, const TcpStream& mine, const TcpStream& other,
                           bool has_no_room) {
    if (!segment.flags.ack() || has_no_room || receipt.answered.others == 0 || receipt.answered.own != mine.next() ||
        !other.from_start() || !mine.from_start() || other.has_held())
      return;
    const std::int32_t behind = -other.distance(segment.ack);
    if (behind < 0 || static_cast<std::uint64_t>(behind) > other.next()) return;
    const std::uint64_t octets = other.next() - static_cast<std::uint64_t>(behind);
    if (octets < receipt.answered.others || octets <= receipt.latest) return;
    receipt.proven = receipt.octets_at(segment.time_ns);
    receipt.latest = octets;
    receipt.latest_ns = segment.time_ns;
  }
  // A zero window is zero with any scale (RFC 7323, 2.3). A reset states nothing about the window.
  void note_window(const Segment& segment, bool from_a) {
    Window& peers = shut_[from_a ? 1 : 0];
    if ((segment.window == 0) == peers.is_shut || segment.flags.rst() || !segment.flags.ack()) [[likely]]
      return;
    peers = {.is_shut = segment.window == 0, .until_ns = segment.time_ns};
  }
  bool take_in_order(const Segment& segment, bool from_a, PieceSink sink);
  bool has_to_wait(const Segment& segment, bool from_a, const WaitingSegments* waiting) const;
  void release(WaitingSegments& waiting, PieceSink sink);
  void note_clocks(const Segment& segment, const WaitingSegments& waiting, bool from_a);
  void give_up_oldest(WaitingSegments& waiting, PieceSink sink);
  void give_up_waiting(PieceSink sink);
  bool take_other(const Segment& segment, bool from_a, PieceSink sink);
  bool take_syn(const Segment& segment, TcpStream& mine, TcpStream& other, PieceSink sink);
  void take_rst(const Segment& segment, bool from_a, PieceSink sink);
  void deliver_held(PieceSink sink);
  void finish_with(PieceSink sink);
  void end();

  TcpLimits limits_;
  TcpStream a_, b_;
  std::unique_ptr<WaitingSegments> waiting_;  // nullptr if nothing waits
  bool is_alone_ = false;                     // segments waited for the other side in vain
  std::array<Window, 2> shut_{};              // [0]: closed by b, [1]: closed by a
  std::array<Receipt, 2> receipts_{};         // [0]: of a, [1]: of b
  TcpNotes notes_;
  TcpStream::Origin last_;
  bool over_ = false;
  bool cut_short_ = false;  // over without a close by both sides
};

}  // namespace wirelaw::pcap
