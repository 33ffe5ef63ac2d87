// SPDX-License-Identifier: Apache-2.0
// The capture of a conversation between honest endpoints, damaged like real captures: frames are missing, reordered or
// cut, or one direction is missing. Oracle: unless the capture is known to be complete, neither side is reported to
// break a rule.
#pragma once

#include <vector>

#include "conformance/protocol.h"
#include "conformance/trace.h"
#include "corpora/formats/damage.h"

namespace wirelaw::fuzz {

class DamagedCapture {
 public:
  explicit DamagedCapture(const Protocol& protocol, std::span<const std::string> features = {})
      : protocol_(protocol), features_(features.begin(), features.end()) {}

  // Sets the protocol below, if the list of protocols does not name it: RoCEv2.
  void carry_by(const Protocol& base) { base_ = &base; }
  // Adds a message; messages are added in order. Copies its octets.
  void see(const Message& message) {
    frames_.push_back({false, message.sender, StreamEvent::octets, message.time_ns,
                       OctetBuffer(message.octets.begin(), message.octets.end())});
  }
  void see(const StreamPiece& piece) {
    frames_.push_back(
        {true, piece.sender, piece.event, piece.time_ns, OctetBuffer(piece.octets.begin(), piece.octets.end())});
  }
  // Ends the process on a violation.
  void judge(const corpora::Damage& damage);

 private:
  struct Frame {
    bool of_stream;
    Side sender;
    StreamEvent event;
    std::int64_t time_ns;
    OctetBuffer octets;
    std::size_t captured = static_cast<std::size_t>(-1);  // octets captured; 0: lost
  };
  std::vector<Frame> damaged(const corpora::Damage& damage) const;

  const Protocol& protocol_;
  const Protocol* base_ = nullptr;
  std::vector<std::string> features_;
  std::vector<Frame> frames_;
};

}  // namespace wirelaw::fuzz
