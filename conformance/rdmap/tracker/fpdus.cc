// SPDX-License-Identifier: Apache-2.0
// The tracker in Full Operation: FPDUs, and the segments in them.
#include <algorithm>
#include <utility>

#include "conformance/rdmap/tracker/ends.h"
#include "conformance/rdmap/tracker/first_octets.h"
#include "conformance/rdmap/tracker/messages.h"
#include "conformance/rdmap/tracker/operations.h"
#include "conformance/rdmap/tracker/startup_facts.h"
#include "conformance/rdmap/tracker/terminate_facts.h"
#include "conformance/rdmap/tracker/tracker.h"

namespace wirelaw::rdmap {

void Tracker::take_fpdus(Direction& from, Octets octets) {
  if (std::exchange(from.framing.resync_due, false)) {
    // The octets that would show markers are missing, and so is the start frame that requests them.
    if (connection_.agreement.is_assumed() && !from.framing.settled) from.framing.mid_stream = true;
    from.reading.happen(Reading::Event::gap);
    from.framing.settled = true;
    from.deframer->skip_to(piece_.offset - from.full_at);
  }
  from.alignment.piece_at = piece_.offset - from.full_at;
  from.alignment.largest_piece = std::max(from.alignment.largest_piece, octets.size());
  remember_early(from, octets);
  if (from.framing.settled) return take_framed(from, octets);
  from.held.insert(from.held.end(), octets.begin(), octets.end());
  if (from.held.size() < kFirstOctets) return;
  settle_framing(from);
  const OctetBuffer held = std::exchange(from.held, {});
  take_framed(from, held);
}

void Tracker::settle_framing(Direction& from) {
  from.framing.settled = true;
  bool& markers = connection_.agreement.markers[from.side == Side::a ? 0 : 1];
  facts_.at(place(from, from.held));
  const bool there = begins_with_marker(from.held, markers);
  if (!connection_.agreement.is_assumed())
    facts_.state(FirstOctetsFact{.octets = from.held, .is_marker_due = markers, .is_marker_there = there});
  if (there == markers) return;
  markers = there;
  from.framing.markers_unasked = there;
  from.deframer.emplace(markers, connection_.agreement.crc || connection_.agreement.is_assumed());
}

void Tracker::take_framed(Direction& from, Octets octets) {
  const bool was_lost = from.deframer->lost();
  std::uint64_t begin = from.deframer->position();
  from.deframer->feed(octets);
  Octets rest = octets;
  while (const auto fpdu = from.deframer->next()) {
    if (from.reading.is(Reading::lost)) from.reading.happen(Reading::Event::found);
    const Framed framed = take_fpdu(from, *fpdu);
    if (framed == Framed::unframed) return leave_unread(from);
    if (framed == Framed::whole) continue;
    // The start of the next FPDU can no longer be determined.
    connection_.has_unread_segments = true;
    forget(from);
    from.reading.happen(Reading::Event::gap);
    rest = rest.subspan(static_cast<std::size_t>(fpdu->end - begin));
    begin = fpdu->end;
    from.deframer->skip_to(begin);
    from.deframer->feed(rest);
  }
  const std::size_t pending = from.deframer->pending();
  if (pending > 0 && pending <= octets.size()) from.framing.pending_frame = piece_.frame;
  if (!connection_.agreement.is_assumed() || !from.deframer->lost()) return;
  if (!was_lost || !find_at_segment(from, octets)) look_elsewhere(from, octets.size());
}

// Without CRCs, the start of the next FPDU cannot be determined once markers are misplaced.
void Tracker::leave_unread(Direction& from) {
  note("no marker is where one is due, and nothing shows where FPDUs begin after it");
  forget(from);
  from.reading.happen(Reading::Event::gap);
  from.deframer.reset();
}

// Keeps a responder's octets from before the initiator's first FPDU. They are judged when that FPDU comes, or when it
// can no longer come.
void Tracker::remember_early(Direction& from, Octets octets) {
  const Agreed& agreed = connection_.agreement;
  if (!agreed.is_accepted() || from.side == agreed.initiator) return;
  const Direction& initiator = connection_.of(agreed.initiator);
  if (initiator.framing.fpdus > 0 || !initiator.unbroken) return;
  if (!from.preamble.early) {
    if (from.framing.fpdus > 0) return;
    from.preamble.early = SeenOctets{.octets = {},
                                     .index = connection_.messages,
                                     .frame = piece_.frame,
                                     .received_is_known = piece_.received_is_known};
  }
  OctetBuffer& early = from.preamble.early->octets;
  const Octets more = octets.first(std::min(octets.size(), kSeenOctets - early.size()));
  early.insert(early.end(), more.begin(), more.end());
}

Framed Tracker::take_fpdu(Direction& from, const mpa::Fpdu& fpdu) {
  const Message found = message(from, fpdu.octets);
  Seen seen(connection_, from, fpdu, found);
  auto after_terminate = take_after_terminate(from, fpdu.octets.size());
  auto order = take_responder_order(connection_, from);
  const FpduFact frame = rdmap::take_fpdu(connection_, from, fpdu);
  from.framing.has_untrusted_fpdu |= !frame.is_trusted();
  ++from.framing.fpdus;
  if (frame.is_trusted()) take_header(seen);
  std::optional<TerminateSegmentFact> terminate;
  OctetBuffer scratch;
  if (seen.has_header()) {
    take_segment(seen);
    take_operation(seen);
    // With the wrong buffer model the header would be elsewhere; the rules of figure 4 judge that.
    if (seen.is(Opcode::terminate) && !seen.header.tagged) terminate = take_terminate(seen, scratch);
  }
  const Octets header = fpdu.ulpdu().first(std::min(fpdu.ulpdu().size(), seen.record.header.size()));
  std::copy_n(header.data(), header.size(), seen.record.header.data());
  seen.record.header_octets = static_cast<std::uint8_t>(header.size());
  if (frame.framed == Framed::whole) from.recent.push(seen.record);  // otherwise no segment has arrived
  facts_.found(found);
  facts_.state(FpduFacts{.frame = frame,
                         .segment = seen,
                         .after_terminate = std::move(after_terminate),
                         .order = std::move(order),
                         .terminate = std::move(terminate)});
  if (deliveries_) deliver(seen);
  return frame.framed;
}

// Delivers to the protocol above, once every layer below it has been stated.
void Tracker::deliver(const Seen& seen) {
  if (!seen.has_header()) return deliveries_->lost(seen.from.side, piece_);
  const Agreed& agreed = connection_.agreement;
  // The ready-to-receive indication is MPA's (RFC 6581, 5).
  const bool ready_to_receive = agreed.enhanced() && agreed.request->peer_to_peer &&
                                seen.from.side == agreed.initiator && seen.from.framing.fpdus == 1 &&
                                seen.payload.empty();
  if (ready_to_receive) return;
  deliveries_->segment(seen, piece_);
  // Its octets may have waited, so that the present piece is one of the other side.
  if (seen.from.received_is_known && all_is_known(connection_)) facts_.nothing_is_missing();
}

}  // namespace wirelaw::rdmap
