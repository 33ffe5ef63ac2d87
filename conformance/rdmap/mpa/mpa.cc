// SPDX-License-Identifier: Apache-2.0
// The checks of MPA, in the order in which an observer asks for them.
#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/fpdu_row.h"
#include "conformance/rdmap/mpa/4.3-markers/first_octets.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {

void judge_start_frame(Judge& judge, Connection& connection, Direction& from, const mpa::StartFrame& frame) {
  judge_key(judge, *frame.kind());
  judge_roles(judge, connection, from, frame);
  judge_reply_order(judge, connection, from, frame);
  judge_start_fields(judge, frame);
  judge_enhanced_format(judge, frame);
  judge_flags_without_peer_to_peer(judge, frame);
}

void judge_no_start_frame(Judge& judge, Connection& connection, Direction& from, bool certain) {
  judge_wrong_key(judge, connection, from, certain);
}

void judge_agreement(Judge& judge, Connection& connection) {
  const Agreed& agreed = connection.agreement;
  const Direction& initiator = connection.of(agreed.initiator);
  const Direction& responder = connection.of(other(agreed.initiator));
  const StartFrames frames{.request = initiator.start->decoded(), .reply = responder.start->decoded()};
  judge_waiting_initiator(judge, connection);
  const Elsewhere at_the_reply(judge, {.octets = responder.start->octets,
                                       .wire_length = responder.start->octets.size(),
                                       .sender = responder.side,
                                       .index = responder.start->index,
                                       .frame = responder.start->frame});
  judge_long_request_accepted(judge, frames);
  judge_enhanced_answer(judge, frames);
  if (!frames.reply.rejected) judge_answered_request(judge);
  if (frames.reply.rejected || !agreed.enhanced()) return;
  judge_depths(judge, *agreed.request, *agreed.reply);
  judge_peer_to_peer(judge, *agreed.request, *agreed.reply);
}

// What follows may be an FPDU too, as far as it is there. It is not if the one before held a marker.
static bool is_followed(const Seen& seen) {
  std::array<Octet, mpa::kLengthOctets + ddp::layout::kQn + sizeof(ddp::Header::qn)> next;
  const std::size_t octets = seen.from.deframer->copy_pending(next);
  return octets < mpa::kMarkerOctets || may_begin_fpdu(Octets(next).first(octets));
}

bool judge_fpdu(Judge& judge, Seen& seen) {
  const Agreed& agreed = seen.connection.agreement;
  const bool crc_is_due = agreed.crc && !seen.from.mid_stream;
  judge_fpdu_order(judge, seen);
  if (!crc_is_due && agreed.assumed && !seen.fpdu.crc_holds()) {
    // Nobody knows whether CRCs or markers are in use; where a CRC has held before, or this is no FPDU, the place is
    // wrong. A marker, for one, would be a ULPDU_Length of 0.
    seen.from.misframed = seen.from.crc_seen_to_hold || !may_begin_fpdu(seen.fpdu.octets) || !is_followed(seen);
    if (seen.from.misframed) return false;
  }
  // Where markers are was taken from one of them, and may be wrong.
  seen.from.misframed = seen.from.mid_stream && agreed.assumed && !points_right(seen.fpdu.markers);
  if (seen.from.misframed) return false;
  // Markers that are elsewhere than the reader takes them out move what is read, until it is no FPDU any more.
  if (seen.from.markers_doubted && !crc_is_due && !looks_like_fpdu(seen.fpdu.octets)) seen.from.unframed = true;
  if (seen.from.unframed) return false;
  if (!judge_ulpdu_length(judge, seen)) return false;
  if (crc_is_due && !judge_crc(judge, seen)) return false;
  seen.from.crc_seen_to_hold |= seen.fpdu.crc_holds();
  if (!judge_markers(judge, seen)) return false;
  judge_pad(judge, seen);
  judge_mulpdu(judge, seen);
  note_alignment(seen);
  judge_ready_to_receive(judge, seen);
  return true;
}

void judge_fpdu_after_rejection(Judge& judge, const Connection& connection, const Direction& from) {
  judge_silence_after_rejection(judge, connection, from, false);
}

void judge_mpa_end(Judge& judge, Connection& connection, Direction& from) {
  const Direction& to = connection.of(other(from.side));
  if (from.closed) judge_octets_after_end(judge, false);
  switch (from.phase) {
    case Reading::startup:
      judge_cut_start_frame(judge, connection, from);
      break;
    case Reading::rejected:
      if (from.unbroken) judge_silence_after_rejection(judge, connection, from, true);
      break;
    case Reading::full:
      if (!connection.agreement.assumed || from.crc_seen_to_hold) note_broken_off(judge, from, to);
      judge_alignment(judge, from);
      break;
    case Reading::waiting:
    case Reading::lost:
    case Reading::over:
      break;
  }
}

void judge_mpa_over(Judge& judge, Connection& connection) {
  Direction& initiator = connection.of(connection.agreement.initiator);
  Direction& responder = connection.of(other(initiator.side));
  if (connection.agreement.assumed) return;
  if (connection.agreement.reached && responder.early && initiator.unbroken && initiator.fpdus == 0)
    judge_early_responder(judge, connection, responder);
  // No Request has ever come, nor anything else.
  if (responder.start && !initiator.start && initiator.unbroken && initiator.held.empty() && initiator.passed_over == 0)
    judge_lone_reply(judge, initiator, responder);
  // No Reply has ever come, and what came behind the Request is still held.
  const bool never_answered = initiator.start && !responder.start && responder.unbroken && responder.held.empty() &&
                              responder.passed_over == 0 && (responder.closed || responder.reset);
  if (never_answered && !initiator.held.empty()) judge_waiting_initiator(judge, connection);
}

void judge_both_ended(Judge& judge, Connection& connection) {
  for (const Direction& from : connection.directions) judge_whole_fpdus(judge, from, connection.of(other(from.side)));
}

}  // namespace wirelaw::rdmap
