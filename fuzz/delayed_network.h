// SPDX-License-Identifier: Apache-2.0
// A network with long delays, in virtual time, and a tap on it: at either end or in the middle. Traffic of honest
// endpoints is captured as in reality: each side's view of the other is as old as the delay is long. For every
// protocol: TCP carries a stream, and loses, reorders and repeats segments. A packet carries a message, reliably or
// not.
//
//   EventQueue queue;
//   DelayedStream tcp(queue, path, captured, arrived);
//   tcp.open();
//   tcp.write(Side::a, octets);  // `arrived` is called when they are there
//   while (queue.run_next()) …
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>

#include "pcap/tcp.h"
#include "reference/network/stream_piece.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// An event and its time, in nanoseconds.
class EventQueue {
 public:
  std::int64_t now() const { return now_; }
  std::optional<std::int64_t> next() const {
    return events_.empty() ? std::nullopt : std::optional(events_.begin()->first);
  }
  void at(std::int64_t time_ns, std::function<void()> event) {
    events_.emplace(std::max(time_ns, now_), std::move(event));
  }
  void after(std::int64_t ns, std::function<void()> event) { at(now_ + ns, std::move(event)); }
  // Returns false if no event is left.
  bool run_next();
  void pass_to(std::int64_t time_ns) { now_ = std::max(now_, time_ns); }

 private:
  std::int64_t now_ = 0;
  std::multimap<std::int64_t, std::function<void()>> events_;
};

enum class TapPlace : std::uint8_t { at_a, between, at_b };

struct Path {
  std::uint32_t seed = 0;
  std::int64_t least_ns = 0, most_ns = 0;  // one-way delay
  Octet loss = 0;                          // packets lost out of 256
  TapPlace tap = TapPlace::between;
};

// The times when a packet passes the tap and arrives; both are empty if it is lost before.
struct Passage {
  std::optional<std::int64_t> tap_ns, arrival_ns;
};

class Ways {
 public:
  explicit Ways(const Path& path) : path_(path), random_(path.seed + 1) {}
  Passage plan(Side from, std::int64_t now_ns, bool may_be_lost = true);
  std::uint32_t random(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
  const Path& path() const { return path_; }

 private:
  Path path_;
  std::minstd_rand random_;
};

// A TCP connection with an unlimited window.
class DelayedStream {
 public:
  using Captured = std::function<void(const pcap::Segment& segment, bool from_a)>;
  using Arrived = std::function<void(Side to, Octets octets)>;

  DelayedStream(EventQueue& queue, const Path& path, Captured captured, Arrived arrived)
      : queue_(queue), ways_(path), captured_(std::move(captured)), arrived_(std::move(arrived)) {}

  void open();  // by side a
  void write(Side from, Octets octets);

 private:
  static constexpr std::size_t kMss = 1448;
  static constexpr std::int64_t kDelayedAck = 40'000'000;
  struct End {
    OctetBuffer out;
    std::size_t sent = 0, acknowledged = 0;
    std::uint64_t received = 0;
    std::map<std::uint64_t, OctetBuffer> early;
    bool established = false;
    bool owes_ack = false;
    unsigned timer = 0;  // number of the current timer; older timers are cancelled
    std::int64_t timeout_ns = 0;
  };
  struct Sent {
    std::uint8_t flags = 0;
    std::uint64_t offset = 0;
    OctetBuffer octets;
    std::uint64_t acknowledges = 0;
  };

  End& end(Side side) { return ends_[side == Side::a ? 0 : 1]; }
  void emit(Side from, std::uint8_t flags, std::uint64_t offset, Octets octets);
  void capture(Side from, const Sent& sent);
  void arrive(Side to, const Sent& sent);
  void take(Side to, const Sent& sent);
  void send_due(Side from);
  void set_timer(Side from);
  static std::uint32_t first_of(Side side) { return side == Side::a ? 1000 : 0xfffff000; }

  EventQueue& queue_;
  Ways ways_;
  Captured captured_;
  Arrived arrived_;
  std::array<End, 2> ends_;
  std::uint64_t frames_ = 0;
};

// Packets that arrive once each, in the order in which they were sent. A packet is repeated until the other side
// answers, and waits there for a missing packet before it. Contents and answers are up to the caller.
class DelayedPackets {
 public:
  using Captured = std::function<void(Side from, Octets packet)>;
  using Arrived = std::function<void(Side to, std::uint64_t packet)>;  // `packet`: its number

  DelayedPackets(EventQueue& queue, const Path& path, Captured captured, Arrived arrived)
      : queue_(queue), ways_(path), captured_(std::move(captured)), arrived_(std::move(arrived)) {}

  // A packet with an empty answer, which sets up the connection, is not lost.
  void send(Side from, OctetBuffer packet, OctetBuffer answer);

 private:
  struct Packet {
    OctetBuffer octets, answer;
    bool arrived = false, answered = false;
    std::int64_t timeout_ns = 0;
  };
  struct End {
    std::map<std::uint64_t, Packet> packets;  // packets from this side
    std::uint64_t due = 0;                    // number of the next packet that the other side accepts
  };

  End& end(Side side) { return ends_[side == Side::a ? 0 : 1]; }
  void transmit(Side from, std::uint64_t number);
  void arrive(Side to, std::uint64_t number);
  void pass(Side from, Octets packet, bool may_be_lost, std::function<void()> arrived);

  EventQueue& queue_;
  Ways ways_;
  Captured captured_;
  Arrived arrived_;
  std::array<End, 2> ends_;
};

// Packets without retransmission: each is lost or arrives after its own delay, so that they may overtake each other.
class DelayedDatagrams {
 public:
  using Captured = std::function<void(Side from, Octets packet)>;
  using Arrived = std::function<void(Side to, Octets packet)>;

  DelayedDatagrams(EventQueue& queue, const Path& path, Captured captured, Arrived arrived)
      : queue_(queue), ways_(path), captured_(std::move(captured)), arrived_(std::move(arrived)) {}

  void send(Side from, OctetBuffer packet);

 private:
  EventQueue& queue_;
  Ways ways_;
  Captured captured_;
  Arrived arrived_;
};

}  // namespace wirelaw::fuzz
