// SPDX-License-Identifier: Apache-2.0
// Judges the two streams of a connection: from octets to start frames, FPDUs and segments.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "conformance/rdmap/tracker/deliveries.h"
#include "conformance/rdmap/tracker/fpdu_facts.h"
#include "conformance/rdmap/tracker/observer.h"
#include "conformance/rdmap/tracker/seen.h"

namespace wirelaw::rdmap {

class RdmapObserver final : public Observer {
 public:
  explicit RdmapObserver(const ObserverLimits& limits) {
    connection_.extensions = std::ranges::find(limits.features, kExtensions) != limits.features.end();
  }

  void observe(const StreamPiece& piece, Judge& judge) override;
  void finish(Judge& judge) override;
  void deliver_to(DeliverySink* above) override {
    if (above == nullptr)
      deliveries_.reset();
    else if (deliveries_)
      deliveries_->deliver_to(*above);  // keeps messages that have begun
    else
      deliveries_ = std::make_unique<Deliveries>(*above);
  }
  std::uint64_t messages() const override { return connection_.messages; }
  std::string partial() const override { return connection_.partial; }
  std::size_t memory() const override;

 private:
  void take(Direction& from, Octets octets, Judge& judge);

  // --- before Full Operation (observer_start.cc)
  void hold(Direction& from, Octets octets);
  void take_start(Direction& from, Judge& judge);
  static void pass_over(Direction& from);
  void start_frame_whole(Direction& from, std::size_t length, Judge& judge);
  void no_start_frame(Direction& from, bool certain, Judge& judge);
  void begin_full_operation(Judge& judge);
  void take_rejected(Direction& from, Octets octets, Judge& judge);
  // MPA may be started again on a connection that was rejected (RFC 5044, 7.1.2, rule 2).
  void start_again();

  // --- if the beginning is unknown (observer_start.cc)
  void assume(Direction& from, std::string_view why, Judge& judge);
  void assume_full(Direction& from, Judge& judge);
  void look_for_fpdus(Direction& from, std::uint64_t place);
  bool find_at_segment(Direction& from, Octets octets, Judge& judge);
  void look_elsewhere(Direction& from, std::size_t octets);
  void forget(Direction& from);
  void leave_unread(Direction& from);

  // --- Full Operation (observer_fpdus.cc)
  void take_fpdus(Direction& from, Octets octets, Judge& judge);
  void take_framed(Direction& from, Octets octets, Judge& judge);
  Framed take_fpdu(Direction& from, const mpa::Fpdu& fpdu, Judge& judge);
  void take_terminate(Seen& seen, Judge& judge);
  void settle_framing(Direction& from, Judge& judge);
  void remember_early(Direction& from, Octets octets);
  void skip(Direction& from, const StreamPiece& gap, Judge& judge);
  void end(Direction& from, Judge& judge);
  void note(std::string_view why) {
    if (connection_.partial.empty()) connection_.partial = why;
  }
  // A message of the flow, at the position of the current piece.
  Message message(const Direction& from, Octets octets);
  // Same, but not counted as a message: octets that a finding points into.
  Message place(const Direction& from, Octets octets) const;

  void deliver(const Seen& seen, bool has_header, Judge& judge);

  Connection connection_;
  StreamPiece piece_;                       // the current piece
  std::unique_ptr<Deliveries> deliveries_;  // set only if a protocol above is observed, to save memory
};

}  // namespace wirelaw::rdmap
