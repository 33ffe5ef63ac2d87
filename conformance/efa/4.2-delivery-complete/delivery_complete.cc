// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.2: delivery complete. Its REQ packets are judged with their counterparts (3.2, 3.3); this file judges
// their additional send_id, and the RECEIPT that answers it.
#include "conformance/efa/4.2-delivery-complete/delivery_complete.h"

#include "conformance/efa/4.2-delivery-complete/rules.h"
#include "conformance/efa/due.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

void judge_receipted_send_id(Judge& judge, const SeenPacket& seen, const Exchange* older) {
  require(judge, rule<"EFA-4.2-8">, older == nullptr, seen, Field::send_id,
          expected("the ID of no operation that waits for its RECEIPT"), actual(seen.packet.send_id),
          [&] { return fmt::format("that of the {} in packet {}", older->request->name, older->begun.index + 1); });
}

bool judge_segment_send_id(Judge& judge, const SeenPacket& seen, const Exchange& exchange) {
  if (!seen.layout.delivery_complete || !exchange.send_id) return true;
  return require(judge, rule<"EFA-4.2-6">, seen.packet.send_id == *exchange.send_id, seen, Field::send_id,
                 expected([&] { return fmt::format("{}", *exchange.send_id); }), actual(seen.packet.send_id),
                 "the message began with it");
}

namespace {

// `shown_by`: the packet that shows that data of the operation was still missing.
void fail_early_receipt(Judge& judge, const SeenPacket& seen, Exchange& exchange, std::string_view shown_by,
                        std::string_view explanation) {
  judge.at(marked(*exchange.receipt, exchange.sink()));
  judge.require(rule<"EFA-4.2-5">, false, {0, exchange.receipt->octets}, expected("a RECEIPT after all data"),
                actual([&] { return fmt::format("{} in packet {} of the flow", shown_by, seen.message.index + 1); }),
                explanation);
  judge.at(seen.message);
  exchange.receipt.reset();
  exchange.contradict();
}

}  // namespace

void judge_early_receipt(Judge& judge, const SeenPacket& seen, Exchange& exchange) {
  if (exchange.receipt)
    fail_early_receipt(judge, seen, exchange, "data", "data of the operation comes after its RECEIPT");
}

bool judge_grant_after_receipt(Judge& judge, const SeenPacket& seen, Exchange& exchange) {
  // The data that an earlier CTS allowed passes before the RECEIPT. Only a copy of a CTS comes after it.
  if (!exchange.receipt || exchange.has_all_data() || seen.doubled) return true;
  fail_early_receipt(judge, seen, exchange, "a CTS", "the CTS after the RECEIPT allows data that has not been sent");
  return false;
}

namespace {

// Judges a RECEIPT that names no operation. It may be meant for a waiting one, or none may have been requested.
void judge_stray(Judge& judge, const SeenPacket& seen, TraceState& state) {
  if (!state.complete()) return;
  bool waiting = false, unsure = false;
  state.exchanges().each_recent([&](Exchange& one) {
    if (one.requester == seen.sender() || !one.request->delivery_complete || one.receipts > 0) return;
    (one.is_unsettled() ? unsure : waiting) = true;
    one.contradict();
  });
  if (unsure) return;
  if (waiting)
    require(judge, rule<"EFA-4.2-1">, false, seen, Field::send_id, expected("the send_id of an operation that waits"),
            actual(seen.packet.send_id),
            "no packet has given an operation that ID, or the one that did was not captured");
  else
    require(judge, rule<"EFA-4.2-2">, false, seen, Field::send_id, expected("no RECEIPT"), actual(seen.packet.send_id),
            "no operation waits for one, or the packet that asked for it was not captured");
}

// The length in its packets may be that of their data (EFA/A-03): then only further packets show the length of the
// message.
bool may_have_more(const Exchange& exchange) {
  return exchange.request->transfer == Transfer::medium && (exchange.reading & kSegmentRead) != 0;
}

bool judge_receipt_msg_id(Judge& judge, const SeenPacket& seen, const Exchange& exchange) {
  if (exchange.request->purpose != Purpose::message || !exchange.msg_id) return true;
  const std::uint32_t id = seen.packet.msg_id;
  return require(judge, rule<"EFA-4.2-3">, id == *exchange.msg_id, seen, Field::msg_id, expected(*exchange.msg_id),
                 actual(id), "the message has another ID");
}

}  // namespace

void judge_receipt(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Exchange* const exchange = state.exchanges().sender_answered(seen, seen.packet.send_id);
  if (exchange == nullptr) return judge_stray(judge, seen, state);
  exchange->latest = seen.mark();
  if (exchange->is_unsettled()) {
    ++exchange->receipts;
    return;
  }
  require(judge, rule<"EFA-4.2-1">, true, seen, Field::send_id, expected(""), actual(""));
  // The RECEIPT may also be for an operation that the trace does not show.
  if (!exchange->request->delivery_complete && !state.complete()) return;
  if (!require(judge, rule<"EFA-4.2-2">, exchange->request->delivery_complete, seen, Field::send_id,
               expected("no RECEIPT"), actual(seen.packet.send_id),
               [&] { return fmt::format("a {} began that operation", exchange->request->name); }))
    return;
  if (exchange->receipts > 0) {
    const bool of_message = exchange->request->purpose == Purpose::message;
    if (of_message && exchange->msg_id != seen.packet.msg_id)
      require(judge, rule<"EFA-4.2-2">, false, seen, Field::msg_id, expected("no RECEIPT"), actual(seen.packet.msg_id),
              "no message with that msg_id waits for one");
    else if (seen.doubled)
      advise(judge, rule<"EFA-4.2-4">, false, seen, Field::send_id, expected("one RECEIPT"),
             actual("the same RECEIPT again"), "it has been sent twice, or UDP has doubled it");
    else
      require(judge, rule<"EFA-4.2-4">, false, seen, Field::send_id, expected("one RECEIPT"), actual("another one"),
              [&] { return fmt::format("packet {} of the flow was the first", exchange->receipt->index + 1); });
    return;
  }
  require(judge, rule<"EFA-4.2-4">, true, seen, Field::send_id, expected(""), actual(""));
  exchange->receipts = 1;
  exchange->receipt = seen.mark();
  if (!judge_receipt_msg_id(judge, seen, *exchange)) exchange->contradict();
  if (!exchange->has_all_data()) return;  // judge_early_receipt()
  require(judge, rule<"EFA-4.2-5">, true, seen, Field::send_id, expected(""), actual(""));
  if (!may_have_more(*exchange)) exchange->finish();
}

// Later packets held none of its data: judge_early_receipt() has not been called.
void finish_early_receipt(Judge& judge, const Exchange& exchange, const TraceState& state) {
  if (!exchange.receipt || exchange.has_all_data()) return;
  // Packets overtake each other. Some may have passed before the capture began, unless they waited for a CTS.
  if (!exchange.goes_by_cts() && !state.is_in_view(exchange.begun)) return;
  judge.at(marked(*exchange.receipt, exchange.sink()));
  judge.require(rule<"EFA-4.2-5">, false, {0, exchange.receipt->octets},
                expected([&] { return fmt::format("a RECEIPT after all {} octets", exchange.length); }),
                actual([&] { return fmt::format("after {} of them", exchange.data.octets()); }),
                "the others have never been sent, or were not captured");
}

void finish_receipts(Judge& judge, const Exchange& exchange, const TraceState& state) {
  const bool message = exchange.request->purpose == Purpose::message;
  if (!exchange.request->delivery_complete || !exchange.has_all_data() || (message && !exchange.is_granted())) return;
  const Mark last = exchange.last_data.value_or(exchange.begun);
  const bool due = message ? state.owes_answer(exchange.sink(), last) : state.owes_service(exchange);
  judge.at(unanswered(last, exchange.sink()));
  judge_due(judge, due, rule<"EFA-4.2-7">, exchange.receipts > 0, {0, last.octets}, expected("a RECEIPT after it"),
            actual("none"), [&] { return fmt::format("this ends the data of a {}", exchange.request->name); });
}

}  // namespace wirelaw::efa
