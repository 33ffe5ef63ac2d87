// SPDX-License-Identifier: Apache-2.0
// What each leg of a relay carries, as a pcapng stream: for the process that judges it, and for a file. Both get the
// same frames, in the order in which the relay read and wrote them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "harness/transports/live_clock.h"
#include "pcap/tcp_synthesis.h"
#include "pcap/writer.h"

namespace wirelaw {

class RelayRecording {
 public:
  // Writes to each of these files; "-" is standard output, which the judge reads meanwhile. The error is one line.
  static tl::expected<RelayRecording, std::string> create(const std::string& section_comment,
                                                          std::span<const std::string> files);

  // A datagram that has arrived from one end of a leg, or that the relay has sent to it.
  void datagram(const pcap::Endpoint& from, const pcap::Endpoint& to, Octets octets,
                std::span<const std::string> comments);
  void segment(const pcap::Endpoint& from, const pcap::Endpoint& to, const pcap::TcpHeader& header, Octets octets,
               std::span<const std::string> comments);

  // Datagrams that the system discarded before the relay could read them: the recording is incomplete.
  void say_dropped(std::uint64_t datagrams) { dropped_ += datagrams; }
  // How long octets may wait until they are read without the recording saying so (StreamLeg::stops_reading).
  void set_late_after(std::chrono::nanoseconds time) { late_after_ = time; }
  std::chrono::nanoseconds late_after() const { return late_after_; }
  std::chrono::nanoseconds now() const { return clock_.now(); }
  // A number for each leg, from 0.
  std::uint32_t next_leg() { return legs_++; }
  // What was written reaches the judge now.
  void flush();
  // The files appear, in their order: the judge sees the end of its stream when those before it are whole. The error is
  // the first that there was, in one line.
  tl::expected<void, std::string> commit();
  const std::optional<std::string>& error() const { return error_; }

 private:
  struct Copy {
    pcap::Writer writer;
    bool is_read_meanwhile = false;
  };
  RelayRecording() = default;
  void keep(const tl::expected<void, pcap::Problem>& outcome);
  // Nanoseconds since 1970, by the monotonic clock: a step of the system's clock reorders no frames.
  std::int64_t now_ns() const { return clock_.epoch_ns() + clock_.now().count(); }

  std::vector<Copy> copies_;
  LiveClock clock_;
  std::uint64_t dropped_ = 0;
  std::uint32_t legs_ = 0;
  std::chrono::nanoseconds late_after_ = std::chrono::milliseconds(250);
  std::optional<std::string> error_;
};

// One leg of a TCP connection that ends at the relay. Sequence numbers, acknowledgments and segments are made up for
// the recording: octets, and how each side has ended, are what the leg carried.
class StreamLeg {
 public:
  // `connects` has made the connection to `listens`. The recording outlives the leg.
  StreamLeg(RelayRecording& recording, const pcap::Endpoint& connects, const pcap::Endpoint& listens)
      : recording_(recording), headers_(recording.next_leg()), connects_(connects), listens_(listens) {}

  // The comment of the next frame.
  void remark(std::string comment) { comments_.push_back(std::move(comment)); }
  void open();
  void carried(bool by_connecting_side, Octets octets);
  void closed(bool by_connecting_side);
  void reset(bool by_connecting_side);
  // The relay does not read what this side sends, and reads it again; `waiting`: octets that have come meanwhile.
  // Octets that have waited for long are recorded later than they were sent, so that their place among those of the
  // other side proves nothing: the window of the relay, which is then zero in the recording, says so.
  void stops_reading(bool from_connecting_side);
  void reads_on(bool from_connecting_side, std::size_t waiting);

 private:
  // What a side has sent and the relay has not read.
  struct Unread {
    std::optional<std::chrono::nanoseconds> since = {};   // the earliest time at which it may have come
    std::optional<std::chrono::nanoseconds> marked = {};  // a later time,
    std::size_t left = 0;                                 // and how much of what had come by then is unread
    bool is_said = false;                                 // the recording says that it is late
  };
  bool is_late(const Unread& unread) const {
    return unread.since && recording_.now() - *unread.since >= recording_.late_after();
  }
  void say_late(bool of_connecting_side);
  void say_in_time(bool of_connecting_side);
  void write(bool by_connecting_side, const pcap::TcpHeader& header, Octets octets,
             std::span<const std::string> comments);
  void record(bool by_connecting_side, const pcap::TcpHeader& header, Octets octets = {});

  RelayRecording& recording_;
  pcap::TcpSynthesis headers_;  // its side a is the one that connects
  pcap::Endpoint connects_, listens_;
  std::vector<std::string> comments_;
  bool closed_[2] = {};  // by side, [1] the one that connects
  bool over_ = false;
  Unread unread_[2];  // by side that sends
};

}  // namespace wirelaw
