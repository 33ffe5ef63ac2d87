// SPDX-License-Identifier: Apache-2.0
// Follows the two streams of a connection, from octets to start frames, FPDUs and segments, and states facts about
// them. It judges nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "conformance/rdmap/tracker/deliveries.h"
#include "conformance/rdmap/tracker/fact_sink.h"
#include "conformance/rdmap/tracker/silence.h"

namespace wirelaw::rdmap {

class Tracker {
 public:
  // `has_extensions`: RFC 7306 is declared.
  Tracker(FactSink& facts, bool has_extensions) : facts_(facts) { connection_.extensions = has_extensions; }

  void follow(const StreamPiece& piece);
  void finish(const SourceEnd& end_of_source);
  // True: also states what RDMAP delivers to its ULP. A message that has begun is kept.
  void find_deliveries(bool wanted) {
    if (!wanted)
      deliveries_.reset();
    else if (!deliveries_)
      deliveries_ = std::make_unique<Deliveries>(facts_);
  }
  std::uint64_t messages() const { return connection_.messages; }
  const std::string& partial() const { return connection_.partial; }
  std::size_t memory() const;

 private:
  void take(Direction& from, Octets octets);

  // --- before Full Operation (start.cc)
  void hold(Direction& from, Octets octets);
  void take_start(Direction& from);
  void pass_over(Direction& from, std::size_t octets);
  void end_preamble(Direction& from);
  static void expect_key(Direction& from);
  void start_frame_whole(Direction& from, std::size_t length);
  void no_start_frame(Direction& from, bool certain);
  void take_after_wrong_key(Direction& from);
  void begin_full_operation();
  void take_rejected(Direction& from, Octets octets);
  // MPA may be started again on a connection that was rejected (RFC 5044, 7.1.2, rule 2).
  void start_again();

  // --- if the beginning is unknown (start.cc)
  void assume(Direction& from, std::string_view why);
  void assume_full(Direction& from);
  void look_for_fpdus(Direction& from, std::uint64_t place);
  bool find_at_segment(Direction& from, Octets octets);
  void look_elsewhere(Direction& from, std::size_t octets);
  void forget(Direction& from);
  void leave_unread(Direction& from);

  // --- Full Operation (fpdus.cc)
  void take_fpdus(Direction& from, Octets octets);
  void take_framed(Direction& from, Octets octets);
  Framed take_fpdu(Direction& from, const mpa::Fpdu& fpdu);
  void settle_framing(Direction& from);
  void remember_early(Direction& from, Octets octets);
  void skip(Direction& from, const StreamPiece& gap);
  void end(Direction& from);
  // States what the octets so far come to. Returns false if they are not those of iWARP.
  bool conclude(Direction& from);
  void note(std::string_view why) {
    if (connection_.partial.empty()) connection_.partial = why;
  }
  // A message of the flow, at the position of the current piece.
  Message message(const Direction& from, Octets octets);
  // Same, but not counted as a message: octets that a finding points into.
  Message place(const Direction& from, Octets octets) const;

  void deliver(const Seen& seen);

  FactSink& facts_;
  Connection connection_;
  StreamPiece piece_;                       // the current piece
  std::unique_ptr<Deliveries> deliveries_;  // set only if they are wanted, to save memory
};

}  // namespace wirelaw::rdmap
