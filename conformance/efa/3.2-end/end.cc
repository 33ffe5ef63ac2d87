// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: checks at the end of a flow. A capture may lack packets, and may have been stopped early. So an
// exchange is judged only if the flow continued for long without it (EFA/A-68, EFA/A-85).
#include "conformance/efa/3.2-end/end.h"

#include "conformance/efa/3.2-end/rules.h"
#include "conformance/efa/4.2-delivery-complete/delivery_complete.h"
#include "conformance/efa/due.h"

namespace wirelaw::efa {

namespace {

void finish_first_id(Judge& judge, const TraceState& state, Side side) {
  const Party& party = state.party(side);
  const Party& peer = state.party(other(side));
  // Its first packets are in the capture if the packets that they made the peer send are.
  if (!peer.handshake || !party.first_message_id || peer.handshake->index < party.first_message_id->index) return;
  judge.at(marked(*party.first_message_id, side));
  judge.advise(rule<"EFA-3.2-4">, party.message_ids.lowest() == 0, {0, party.first_message_id->octets}, expected(0),
               actual(party.message_ids.lowest()), "the lowest that was seen");
}

void finish_ids(Judge& judge, const TraceState& state, Side side) {
  const Party& party = state.party(side);
  const MessageIds& ids = party.message_ids;
  if (!ids.any()) return;
  const bool apart = party.rta_ids.any() && party.rtm_ids.gaps() == 0 && party.rta_ids.gaps() == 0;
  // An ID that only a PEER_ERROR has named has no message.
  const Mark first = party.first_message_id ? *party.first_message_id : party.given_up.front().mark;
  const Mark mark = party.skipped.value_or(first);
  judge.at(marked(mark, side));
  const auto missing = apart ? std::nullopt : ids.missing();
  // If the flow was not seen from its start, the missing ID may have been sent before.
  const bool is_in_view = state.saw_beginning() || (missing && party.complete_from &&
                                                    static_cast<std::int32_t>(*missing - *party.complete_from) > 0);
  const bool due = state.partial().empty() && !party.counts_anew && state.is_long_ago(mark) && is_in_view;
  if (ids.wrapped())
    judge_due(judge, due, rule<"EFA-3.2-3">, missing != 0u, {0, mark.octets}, expected("0 after 4294967295"),
              actual("another ID"), "no message has msg_id 0");
  if (missing == 0u && ids.gaps() == 1) return;
  judge_due(judge, due, rule<"EFA-3.2-2">, apart || ids.gaps() == 0, {0, mark.octets}, expected("every ID once"),
            actual([&] {
              return missing ? fmt::format("{} missing, the latest {}", ids.gaps(), *missing)
                             : fmt::format("{} missing", ids.gaps());
            }),
            "this packet left IDs out that no later one has");
}

void finish_medium(Judge& judge, const Exchange& exchange, const TraceState& state) {
  // If its packets do not state its length, it has at least the octets before the end of its data.
  const std::uint64_t length = std::max(exchange.length, exchange.data_end);
  if (exchange.request->transfer != Transfer::medium || length == 0) return;
  judge.at(marked(exchange.begun, exchange.requester));
  judge_due(judge, state.is_in_view(exchange.begun) && state.owes_data(exchange.requester, exchange.latest),
            rule<"EFA-3.2-48">, exchange.data.octets() >= length, {0, exchange.begun.octets},
            expected([&] { return fmt::format("{} octets in its segments", length); }), actual(exchange.data.octets()),
            "this began the message");
}

void finish_long_cts(Judge& judge, const Exchange& exchange, const TraceState& state) {
  if (!exchange.goes_by_cts() || !exchange.last_data) return;
  // Data may wait for the HANDSHAKE of its receiver (EFA/A-78).
  if (exchange.granted > exchange.in_request && state.party(exchange.sink()).handshake) {
    judge.at(marked(*exchange.last_data, exchange.source()));
    const bool due = !exchange.grant_beyond && state.owes_data(exchange.source(), exchange.latest);
    judge_due(judge, due, rule<"EFA-3.2-148">, exchange.window() == 0 || exchange.has_all_data(),
              {0, exchange.last_data->octets},
              expected([&] { return fmt::format("{} octets in all", std::min(exchange.granted, exchange.length)); }),
              actual(exchange.data.octets()), "this is the last of its data");
  }
  if (exchange.last_grant && exchange.window() == 0) {
    judge.at(marked(*exchange.last_grant, exchange.sink()));
    judge_due(judge, state.owes_answer(exchange.sink(), exchange.latest), rule<"EFA-3.2-111">, exchange.has_all_data(),
              {0, exchange.last_grant->octets}, expected("another CTS"), actual("none"), [&] {
                return fmt::format("{} of {} octets have come, and all that was allowed", exchange.data.octets(),
                                   exchange.length);
              });
  }
}

}  // namespace

void finish_messages(Judge& judge, const TraceState& state) {
  for (const Side side : {Side::a, Side::b}) {
    finish_first_id(judge, state, side);
    finish_ids(judge, state, side);
  }
  for (const Exchange& exchange : state.exchanges().all()) {
    if (exchange.is_unsettled() || exchange.may_be_none() || (!exchange.is_done() && !state.is_stale(exchange.latest)))
      continue;
    if (exchange.receipts > 0) {
      finish_early_receipt(judge, exchange, state);
      if (!exchange.has_all_data()) continue;  // after a RECEIPT the rest is not due
    }
    finish_medium(judge, exchange, state);
    finish_long_cts(judge, exchange, state);
    finish_receipts(judge, exchange, state);
  }
}

}  // namespace wirelaw::efa
