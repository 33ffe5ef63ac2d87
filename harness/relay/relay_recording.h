// SPDX-License-Identifier: Apache-2.0
// Records what each leg of a relay carries, as a pcapng stream, for the process that judges it and for a file. Both get
// the same frames, in the order in which the relay read and wrote them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "harness/flow/leg_interface.h"
#include "harness/transports/live_clock.h"
#include "pcap/tcp_synthesis.h"
#include "pcap/writer.h"

namespace wirelaw {

class RelayRecording {
 public:
  // How the legs are told apart.
  enum class Legs : std::uint8_t { by_address, on_interfaces };

  // Writes to each of these files; "-" is standard output, which the judge reads meanwhile. The error is one line.
  static tl::expected<RelayRecording, std::string> create(const std::string& section_comment,
                                                          std::span<const std::string> files,
                                                          Legs legs = Legs::by_address);

  // A datagram that has arrived from one end of a leg, or that the relay has sent to it.
  void datagram(const pcap::Endpoint& from, const pcap::Endpoint& to, Octets octets,
                std::span<const std::string> comments);
  void segment(const pcap::Endpoint& from, const pcap::Endpoint& to, const pcap::TcpHeader& header, Octets octets,
               std::span<const std::string> comments);

  // An Ethernet frame that a peer has sent, or that has gone to it. For a recording with legs on interfaces.
  void frame(LegInterface interface, Octets octets, std::span<const std::string> comments);

  // Packets that the system discarded before the relay could read them: the recording is incomplete.
  void say_dropped(std::uint64_t packets) { dropped_ += packets; }
  // Octets that wait longer than this until they are read are marked in the recording (StreamLeg::stops_reading).
  void set_late_after(std::chrono::nanoseconds time) { late_after_ = time; }
  std::chrono::nanoseconds late_after() const { return late_after_; }
  std::chrono::nanoseconds now() const { return clock_.now(); }
  // Returns the number of the next leg, from 0.
  std::uint32_t next_leg() { return legs_++; }
  // Passes all frames written so far to the judge.
  void flush();
  // Makes the files appear, in their order: the judge sees the end of its stream when the files before it are complete.
  // The error is the first one that occurred, in one line.
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
// the recording. The octets and the way each side ended are real.
class StreamLeg {
 public:
  // `connects` made the connection to `listens`. The recording outlives the leg.
  StreamLeg(RelayRecording& recording, const pcap::Endpoint& connects, const pcap::Endpoint& listens)
      : recording_(recording), headers_(recording.next_leg()), connects_(connects), listens_(listens) {}

  // Adds a comment to the next frame.
  void remark(std::string comment) { comments_.push_back(std::move(comment)); }
  void open();
  void carried(bool by_connecting_side, Octets octets);
  void closed(bool by_connecting_side);
  void reset(bool by_connecting_side);
  // The relay stops reading from this side, or reads again; `waiting` is the number of octets that have arrived
  // meanwhile. Octets that wait for long are recorded later than they were sent, so their order relative to the other
  // side's octets proves nothing. The recording shows this by a window of zero from the relay.
  void stops_reading(bool from_connecting_side);
  void reads_on(bool from_connecting_side, std::size_t waiting);

 private:
  // Octets that a side has sent and the relay has not read.
  struct Unread {
    std::optional<std::chrono::nanoseconds> since = {};   // when the first of them arrived, at the earliest
    std::optional<std::chrono::nanoseconds> marked = {};  // a later time,
    std::size_t left = 0;                                 // and the number of unread octets that had arrived by then
    bool is_said = false;                                 // the recording shows that the relay reads late
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
  pcap::TcpSynthesis headers_;  // side a is the one that connects
  pcap::Endpoint connects_, listens_;
  std::vector<std::string> comments_;
  bool closed_[2] = {};  // [1]: the side that connects
  bool over_ = false;
  Unread unread_[2];  // by sender; [1]: the side that connects
};

}  // namespace wirelaw
