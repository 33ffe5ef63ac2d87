// SPDX-License-Identifier: Apache-2.0
// The traffic of a run, kept as frames of a capture. A case's frames are held back until it ends, because a finding may
// point at any of them and is in their comments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/recorded_places.h"
#include "pcap/synthesis.h"
#include "reference/octets/octets.h"

namespace wirelaw {

struct RecordedFrame {
  std::string from;  // "192.0.2.1:31201"
  std::string to;
  bool from_iut = false;
  std::int64_t time_ns = 0;
  OctetBuffer octets = {};
  std::vector<std::string> comments = {};
  std::optional<pcap::TcpHeader> tcp = {};  // for a segment of a stream; empty: the octets are a datagram
  // Set for a frame that was captured: the octets are the whole frame, unchanged.
  struct Captured {
    int link_type = 0;  // LINKTYPE_
    std::uint32_t wire_length = 0;
  };
  std::optional<Captured> captured = {};
  // Not empty: no network carries the datagram, which is recorded as an exported PDU for this dissector.
  std::string dissector = {};
};

class FrameSink {
 public:
  virtual ~FrameSink() = default;
  virtual void write(const RecordedFrame& frame) = 0;
};

class Recording {
 public:
  explicit Recording(FrameSink& sink) : sink_(sink) {}

  // Returns the number of the frame, from 1.
  std::uint64_t add(RecordedFrame frame);
  // announce() sets the comment of the next frame that is added; remark() adds another one.
  void announce(std::string comment) { announced_ = {std::move(comment)}; }
  void remark(std::string comment) { announced_.push_back(std::move(comment)); }
  // Adds a comment. A frame that is already written keeps the comments it had.
  void annotate(std::uint64_t frame, std::string comment);
  void flush();
  // Takes a frame with all its comments from a part of the recording, and writes it at once.
  void take(const RecordedFrame& frame);

  RecordedPlaces& places() { return places_; }

  std::uint64_t frames() const { return written_ + held_.size(); }
  std::size_t octets_held() const { return held_octets_; }

 private:
  FrameSink& sink_;
  std::uint64_t written_ = 0;
  std::vector<RecordedFrame> held_;
  std::size_t held_octets_ = 0;
  std::vector<std::string> announced_;
  RecordedPlaces places_;
};

}  // namespace wirelaw
