// SPDX-License-Identifier: Apache-2.0
// The checks of MPA, in the order in which an observer asks for them.
#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/checks.h"

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

void check_first_octets(Judge& judge, const FirstOctetsFact& fact) {
  fact.is_marker_due ? check_missing_marker(judge, fact) : check_unasked_marker(judge, fact);
}

void check_fpdu(Judge& judge, const FpduFact& fact) {
  if (!fact.is_read) return;
  check_ulpdu_length(judge, fact.fpdu.ulpdu_length());
  if (fact.crc) check_crc(judge, fact.fpdu, *fact.crc);
  check_markers(judge, fact.markers);
  if (!fact.is_trusted()) return;
  check_pad(judge, fact.fpdu);
  if (fact.mulpdu) check_mulpdu(judge, fact.fpdu.ulpdu_length(), *fact.mulpdu);
  if (fact.offered) check_ready_to_receive(judge, fact.fpdu.ulpdu(), *fact.offered);
}

void check_mpa_end(Judge& judge, const EndFacts& facts) {
  if (facts.is_closed) check_octets_after_end(judge, 0);
  if (facts.cut_start_frame) check_cut_start_frame(judge, *facts.cut_start_frame);
  if (facts.after_rejection) check_after_rejection(judge, *facts.after_rejection);
  if (facts.alignment) check_alignment(judge, *facts.alignment);
}

}  // namespace wirelaw::rdmap
