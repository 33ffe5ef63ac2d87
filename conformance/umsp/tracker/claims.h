// SPDX-License-Identifier: Apache-2.0
// Claims about an instruction that follow from other instructions of the two nodes. The tracker states whether each
// holds, with the observed and the expected value. The sections have a row for each (conformance/umsp/claim_rows.h).
#pragma once

#include <cstdint>

#include "conformance/trace.h"

namespace wirelaw::umsp {

// What the instruction does if it is right. `kept`: the claim is stated when the connection ends (late_facts.h).
enum class Claim : std::uint8_t {
  // --- 3.1: headers
  assigns_new_id,
  has_new_req_id,
  // --- 4: responses
  names_requesters_session,
  answers_request,
  answers_without_session,
  answers_whole_chain,
  seems_to_answer_whole_chain,
  // --- 4.2: SND_CANCEL
  cancels_chain_being_sent,
  cancels_no_sequence,
  cancels_unfinished_chain,
  is_of_uncancelled_chain,  // any other instruction of a chain
  // --- 5.3: sessions
  names_session,
  answers_open,  // kept: a step of a handshake that names no session, while one waits for its answer
  continues_handshake,
  opens_in_turn,
  opens_before_acceptance,
  is_no_eighth_open,
  keeps_id,
  keeps_window,
  keeps_ltid,
  accepts_only_session,
  accepts_open,
  accepts_once,
  rejects_open,
  rejects_no_own_open,
  names_latest_session,
  follows_acceptance,
  follows_no_refusal,
  is_before_own_refusal,
  // --- 5.4: the end of sessions
  closes_own_session,
  respects_closing,
  is_before_own_abend,
  is_before_abend,
  seems_to_be_before_abend,
  ends_closed_session,  // stated when the connection ends
  // --- 7: chains
  begins_free_number,
  has_next_number,
  has_new_number,
  is_before_end,
  follows_all_numbers,  // kept
  is_last_before_end,   // kept
  ends_sequences,
  // Kept: the instructions of all connections together (shared_chains.cc).
  has_number_once,
  completes_chain,
  begins_after_end,
  is_up_to_end,
  begins_in_datagram,
  ends_in_datagram,
  // --- 7.2: EXEC_TR and CANCEL_TR
  names_sent_transaction,
  names_no_sequence,
  names_no_fragments,
  names_whole_transaction,
  names_uncancelled,
  names_unexecuted,
  answers_executed_transaction,  // with TRR 0
  // --- 7.3: fragments
  asks_for_fragmented,
  does_not_ask_for_fragmented,
  fragments_are_nops,
  fragments_have_no_ids,
  fragments_are_whole,
  fragments_have_no_more,
  last_fragment_ends,
  parent_is_no_fragments,
  parent_is_sent,
  parent_has_not_ended,
  parent_has_new_number,
  // --- 7.4: buffers
  has_buffer,
  has_untaken_buffer,
  has_buffer_of_all,
  fits_window,
  open_chains_fit_window,
  open_chains_need_no_window,
  fills_buffer,
  // --- 7.6: bases
  sets_first_base,
  has_base,
  count_
};

// Kept: judged by the instructions of all connections together.
constexpr bool is_of_all_connections(Claim claim) {
  return claim >= Claim::has_number_once && claim <= Claim::is_up_to_end;
}
constexpr bool is_about_parent(Claim claim) {
  return claim >= Claim::parent_is_no_fragments && claim <= Claim::parent_has_new_number;
}

inline constexpr bool kLikely = false;
struct Fact {
  Claim claim = Claim::count_;
  bool holds = true;
  OctetRange where = {};
  std::uint64_t got = 0, due = 0;  // the observed and the expected value, if the claim is about one
  bool is_certain = true;          // otherwise likely: something that was not seen may explain a breach
};

}  // namespace wirelaw::umsp
