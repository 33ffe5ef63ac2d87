// SPDX-License-Identifier: Apache-2.0
// A capture may lack packets, and may have been stopped early. So claims about an exchange are stated only if the flow
// continued for long without it (EFA/A-68, EFA/A-85).
#include "conformance/efa/tracker/claims.h"

#include <algorithm>

#include "conformance/efa/tracker/trace_state.h"

namespace wirelaw::efa {
namespace {

class Claims {
 public:
  explicit Claims(const TraceState& state) : state_(state) {}

  void find_first_id(Side side) {
    const auto& first = state_.party(side).first_message_id;
    const auto& greeted = state_.party(other(side)).handshake;
    // Its first packets are in the capture if the packets that they made the peer send are.
    if (!greeted || !first || greeted->index < first->index) return;
    const std::uint32_t lowest = state_.party(side).message_ids.lowest();
    facts.push_back({Claim::begins_with_id_0, lowest == 0, false, *first, side, lowest});
  }

  void find_ids(Side side) {
    const Party& party = state_.party(side);
    const MessageIds& ids = party.message_ids;
    if (!ids.any()) return;
    const bool apart = party.rta_ids.any() && party.rtm_ids.gaps() == 0 && party.rta_ids.gaps() == 0;
    // An ID that only a PEER_ERROR has named has no message.
    const Mark first = party.first_message_id ? *party.first_message_id : party.given_up.front().mark;
    const Mark mark = party.skipped.value_or(first);
    const auto missing = apart ? std::nullopt : ids.missing();
    // If the flow was not seen from its start, the missing ID may have been sent before.
    const bool is_in_view = state_.saw_beginning() || (missing && party.complete_from &&
                                                       static_cast<std::int32_t>(*missing - *party.complete_from) > 0);
    const bool is_certain = state_.partial().empty() && !party.counts_anew && state_.is_long_ago(mark) && is_in_view;
    if (ids.wrapped()) facts.push_back({Claim::wraps_to_id_0, missing != 0u, is_certain, mark, side});
    if (missing == 0u && ids.gaps() == 1) return;
    facts.push_back({missing ? Claim::uses_every_id : Claim::uses_every_old_id, apart || ids.gaps() == 0, is_certain,
                     mark, side, ids.gaps(), missing.value_or(0)});
  }

  void find_of_message(const Exchange& one) {
    if (one.is_unsettled() || one.may_be_none() || (!one.is_done() && !state_.is_stale(one.latest))) return;
    const std::uint64_t sent = one.data.octets();
    if (one.receipts > 0 &&
        !one.has_all_data()) {  // the rest is not due, and nothing has shown that the RECEIPT was early
      // Packets overtake each other. Some may have passed before the capture began, unless they waited for a CTS.
      if (one.receipt && (one.goes_by_cts() || state_.is_in_view(one.begun)))
        facts.push_back({Claim::receives_all_before, false, true, *one.receipt, one.sink(), sent, one.length});
      return;
    }
    // If its packets do not state its length, it has at least the octets before the end of its data.
    const std::uint64_t length = std::max(one.length, one.data_end);
    // Segments may have passed before an endpoint was replaced.
    const bool may_have_begun_before = state_.beginnings() > 0 && !state_.is_in_view(one.begun);
    if (one.request->transfer == Transfer::medium && length != 0 && (sent >= length || !may_have_begun_before))
      facts.push_back({Claim::sends_whole_medium, sent >= length,
                       state_.is_in_view(one.begun) && state_.owes_data(one.requester, one.latest), one.begun,
                       one.requester, sent, length});
    find_of_long_cts(one);
    const bool is_message = one.request->purpose == Purpose::message;
    if (!one.request->delivery_complete || !one.has_all_data() || (is_message && !one.is_granted())) return;
    const Mark last = one.last_data.value_or(one.begun);
    const bool is_certain = is_message ? state_.owes_answer(one.sink(), last) : state_.owes_service(one);
    facts.push_back({Claim::sends_receipt, one.receipts > 0, is_certain, last, one.sink()});
    facts.back().request = one.request;
  }

  void find_of_one_sided(const Exchange& one) {
    if (one.is_unsettled() || one.may_be_none()) return;
    const Purpose purpose = one.request->purpose;
    const bool had_time = state_.responder_had_time(one) || state_.owes_service(one);
    if (purpose == Purpose::write && one.request->transfer == Transfer::long_cts &&
        (one.is_granted() || (had_time && !one.has_all_data())))
      add_service(Claim::allows_rest_of_write, one);
    if (purpose == Purpose::read) find_of_read(one, had_time);
    if (purpose == Purpose::atomic && one.recv_id && one.answers == 0 && had_time)
      add_service(Claim::answers_atomic, one);
  }

  void find_of_read_data(const Exchange& one) {
    if (one.is_unsettled() || one.may_be_none()) return;
    if (one.is_refused() && one.request->purpose == Purpose::message) find_of_refused(one);
    if (one.is_done() || one.request->behind != Array::read_iov) return;
    const bool in_runts = one.request->transfer == Transfer::runting_read;
    const std::uint64_t sent = one.data.octets();
    if (in_runts && sent < one.runt_octets() && state_.is_stale(one.latest))
      facts.push_back({Claim::sends_all_runts, false,
                       state_.is_in_view(one.begun) && state_.owes_data(one.requester, one.latest), one.begun,
                       one.requester, sent, one.runt_length});
    // If nothing was left to be read, no EOR is due (EFA/A-49).
    if (one.eors > 0 || one.is_refused() || one.length == 0 || (in_runts && sent >= one.length)) return;
    // The receiver's own read of the memory may have failed, which no packet shows.
    if (state_.responder_had_time(one) || state_.owes_service(one)) add_service(Claim::reports_read, one, false);
  }

  void find_refused_writes(Side side) {
    for (const Party::RefusedWrite& write : state_.party(side).refused_writes)
      if (state_.is_stale(write.refused)) facts.push_back({Claim::resumes_write, false, false, write.refused, side});
  }

  std::vector<ClaimFact> facts;

 private:
  void find_of_long_cts(const Exchange& one) {
    if (!one.goes_by_cts() || !one.last_data) return;
    const std::uint64_t sent = one.data.octets();
    // Data may wait for the HANDSHAKE of its receiver (EFA/A-78).
    if (one.granted > one.in_request && state_.party(one.sink()).handshake)
      facts.push_back({Claim::sends_what_is_allowed, one.window() == 0 || one.has_all_data(),
                       !one.grant_beyond && state_.owes_data(one.source(), one.latest), *one.last_data, one.source(),
                       sent, std::min(one.granted, one.length)});
    if (one.last_grant && one.window() == 0)
      facts.push_back({Claim::allows_the_rest, one.has_all_data(), state_.owes_answer(one.sink(), one.latest),
                       *one.last_grant, one.sink(), sent, one.length});
  }

  void find_of_read(const Exchange& one, bool had_time) {
    const bool is_stale = state_.is_stale(one.latest), has_data = one.data.octets() > 0;
    // Data without a READRSP shows that the responder has accepted the request.
    if (one.answers == 0 && (had_time || (has_data && is_stale)))
      add_service(has_data ? Claim::answers_read_before_data : Claim::answers_read, one, !has_data);
    const bool in_parts = one.request->transfer == Transfer::long_cts;
    if (one.is_granted() || (in_parts && one.answers > 0 && !one.has_all_data() && one.window() == 0 && is_stale))
      facts.push_back({Claim::allows_rest_of_read, one.is_granted(), state_.owes_answer(one.requester, one.latest),
                       one.latest, one.requester, one.data.octets(), one.length});
  }

  void find_of_refused(const Exchange& one) {
    const bool is_stale = state_.is_stale(one.latest);
    const Side receiver = other(one.requester);
    if (one.is_resumed() && (one.is_granted() || (is_stale && !one.course.is_unmarked())))
      facts.push_back({Claim::allows_resumed, one.is_granted() || one.has_all_data(),
                       state_.owes_answer(receiver, one.latest), one.latest, receiver});
    if (!one.is_resumed() && is_stale)
      facts.push_back({Claim::resumes_message, false,
                       state_.owes_answer(one.requester, one.refused) && !may_be_given_up(), one.refused,
                       one.requester});
  }

  // The responder is to answer the request.
  void add_service(Claim claim, const Exchange& one, bool may_be_certain = true) {
    const bool is_served = state_.owes_service(one);
    facts.push_back({claim, claim == Claim::allows_rest_of_write && one.is_granted(), is_served && may_be_certain,
                     one.begun, other(one.requester)});
    facts.back().is_served = is_served;
  }
  // The reads would have confirmed the delivery. If an application demands that, and a side cannot do without them, its
  // endpoint gives the message up and reports an error (2.1, 4.2; EFA/A-85).
  bool may_be_given_up() const {
    return !state_.party(Side::a).announced(Extra::delivery_complete) ||
           !state_.party(Side::b).announced(Extra::delivery_complete);
  }

  const TraceState& state_;
};

}  // namespace

std::vector<ClaimFact> find_claims(const TraceState& state) {
  Claims claims(state);
  for (const Side side : {Side::a, Side::b}) {
    claims.find_first_id(side);
    claims.find_ids(side);
  }
  const auto& all = state.exchanges().all();
  for (const Exchange& one : all) claims.find_of_message(one);
  if (!state.complete()) return claims.facts;
  for (const Exchange& one : all) claims.find_of_one_sided(one);
  for (const Exchange& one : all) claims.find_of_read_data(one);
  for (const Side side : {Side::a, Side::b}) claims.find_refused_writes(side);
  return claims.facts;
}

std::vector<ClaimFact> find_unbegun(Side side, const TraceState& state) {
  std::vector<ClaimFact> facts;
  for (const Party::GivenUp& one : state.party(side).given_up)
    if (one.awaited)
      facts.push_back({.claim = Claim::begins_named_message,
                       .is_certain = state.is_stale(one.mark),
                       .mark = one.mark,
                       .side = side,
                       .got = one.msg_id,
                       .where = one.where});
  return facts;
}

}  // namespace wirelaw::efa
