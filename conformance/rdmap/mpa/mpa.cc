// SPDX-License-Identifier: Apache-2.0
// The checks of MPA, in the order in which an observer asks for them.
#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/fpdu_row.h"
#include "conformance/rdmap/mpa/4.3-markers/first_octets.h"
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/tracker/startup_facts.h"

namespace wirelaw::rdmap {

void check_start_frame(Judge& judge, const StartFrameFact& fact) {
  check_key(judge, *fact.frame.kind());
  check_roles(judge, fact);
  check_reply_order(judge, fact);
  check_start_fields(judge, fact.frame);
  check_enhanced_format(judge, fact.frame);
  check_flags_without_peer_to_peer(judge, fact.frame);
}

void check_agreement(Judge& judge, const AgreementFact& fact) {
  if (fact.held) check_waiting_initiator(judge, *fact.held);
  const Elsewhere at_the_reply(judge, fact.reply);
  check_long_request_accepted(judge, fact.frames);
  check_enhanced_answer(judge, fact.frames);
  if (fact.frames.reply.rejected) return;
  check_answered_request(judge);
  const auto request = fact.frames.request.enhanced_data(), reply = fact.frames.reply.enhanced_data();
  if (!request || !reply) return;
  check_depths(judge, *request, *reply);
  check_peer_to_peer(judge, *request, *reply);
}

// Returns true if the following octets may be an FPDU, as far as they are present. False if this FPDU held a marker.
static bool is_followed(const Seen& seen) {
  std::array<Octet, mpa::kLengthOctets + ddp::layout::kQn + sizeof(ddp::Header::qn)> next;
  const std::size_t octets = seen.from.deframer->copy_pending(next);
  return octets < mpa::kMarkerOctets || may_begin_fpdu(Octets(next).first(octets));
}

bool judge_fpdu(Judge& judge, Seen& seen) {
  const Agreed& agreed = seen.connection.agreement;
  const bool crc_is_due = agreed.crc && !seen.from.mid_stream;
  if (const auto order = take_responder_order(seen.connection, seen.from)) check_responder_order(judge, *order);
  if (!crc_is_due && agreed.is_assumed() && !seen.fpdu.crc_holds()) {
    // Nobody knows whether CRCs or markers are in use; where a CRC has held before, or this is no FPDU, the place is
    // wrong. A marker, for one, would be a ULPDU_Length of 0.
    seen.from.misframed = seen.from.crc_seen_to_hold || !may_begin_fpdu(seen.fpdu.octets) || !is_followed(seen);
    if (seen.from.misframed) return false;
  }
  // The positions of markers were derived from one of them, and may be wrong.
  seen.from.misframed = seen.from.mid_stream && agreed.is_assumed() && !points_right(seen.fpdu.markers);
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

void check_mpa_end(Judge& judge, const EndFacts& facts) {
  if (facts.is_closed) check_octets_after_end(judge, 0);
  if (facts.cut_start_frame) check_cut_start_frame(judge, *facts.cut_start_frame);
  if (facts.silent_after_rejection) check_silent_after_rejection(judge, *facts.silent_after_rejection, true);
  if (facts.alignment) check_alignment(judge, *facts.alignment);
}

void judge_mpa_over(Judge& judge, Connection& connection) {
  if (const auto order = take_unanswered_early_octets(connection)) check_responder_order(judge, *order);
  if (const auto reply = find_lone_reply(connection)) check_lone_reply(judge, *reply);
  if (const auto held = find_unanswered_octets(connection, judge.message().frame))
    check_waiting_initiator(judge, *held);
}

}  // namespace wirelaw::rdmap
