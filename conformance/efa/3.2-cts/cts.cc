// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.6: CTS, of messages, writes and reads alike.
#include "conformance/efa/3.2-cts/cts.h"

#include "conformance/efa/3.2-cts/rules.h"
#include "conformance/efa/4.2-delivery-complete/delivery_complete.h"
#include "conformance/efa/packet_checks.h"
#include "conformance/efa/reads.h"

namespace wirelaw::efa {

namespace {

// The exchange that a CTS with a wrong send_id was meant for is unknown, so nothing is concluded for any candidate.
void judge_stray(Judge& judge, const SeenPacket& seen, TraceState& state) {
  state.party(seen.sender()).note_stray_grant(seen.packet.recv_id);
  if (!state.complete()) return;
  bool unsure = false;
  state.exchanges().each_recent([&](Exchange& one) {
    // A faulty answer may have named the ID.
    unsure = unsure || (one.sink() == seen.sender() && one.request->purpose == Purpose::read && one.is_unsettled());
    if (one.sink() != seen.sender() || !one.goes_by_cts() || one.is_done()) return;
    unsure = unsure || one.is_unsettled();
    one.contradict();
  });
  if (unsure) return;
  require(judge, rule<"EFA-3.2-100">, false, seen, Field::send_id, expected("the ID of a send operation of the peer"),
          actual(seen.packet.send_id), "no packet has given it that ID, or the one that did was not captured");
}

void judge_read_flag(Judge& judge, const SeenPacket& seen, const Exchange& exchange) {
  const bool read = exchange.request->purpose == Purpose::read;
  const bool flag = seen.packet.has(flag::kCtsEmulatedRead);
  require(judge, read ? rule<"EFA-3.2-108"> : rule<"EFA-3.2-109">, flag == read, seen, Field::flags,
          expected([&] { return read ? "CTS_EMULATED_READ set" : "CTS_EMULATED_READ clear"; }),
          actual(hex(seen.packet.flags)), [&] { return fmt::format("it answers a {}", exchange.request->name); });
}

// Returns false if the operation cannot be followed further.
bool judge_recv_id(Judge& judge, const SeenPacket& seen, TraceState& state, Exchange& exchange) {
  const std::uint32_t recv_id = seen.packet.recv_id;
  if (exchange.recv_id)
    return require(
        judge, exchange.request->purpose == Purpose::read ? rule<"EFA-3.2-106"> : rule<"EFA-3.2-105">,
        recv_id == *exchange.recv_id, seen, Field::recv_id,
        expected([&] { return fmt::format("{}", *exchange.recv_id); }), actual(recv_id),
        "the receive operation has another ID, or this is another operation, whose request was not captured");
  if (!state.complete()) return true;
  const Exchange* const older = state.exchanges().by_recv_id(seen.sender(), recv_id);
  return require(judge, rule<"EFA-3.2-107">, older == nullptr || !older->sink_waits(), seen, Field::recv_id,
                 expected("the ID of no receive operation that goes on"), actual(recv_id), [&] {
                   return fmt::format(
                       "that of the {} in packet {}, which waits for data, or whose last data was not captured",
                       older->request->name, older->begun.index + 1);
                 });
}

// Returns false if the CTS grants nothing that must be tracked.
bool judge_moment(Judge& judge, const SeenPacket& seen, Exchange& exchange) {
  const bool all = exchange.has_all_data();
  if (exchange.is_granted() && seen.doubled && (all || exchange.window() > 0)) {
    advise(judge, rule<"EFA-3.2-104">, false, seen, Field::recv_length, expected("each CTS once"),
           actual("the same CTS again"), "it has been sent twice, or UDP has doubled it");
    exchange.contradict();  // the receiver of both may have sent the sum of both grants
    return false;
  }
  if (!require(judge, rule<"EFA-3.2-110">, !all, seen, Field::recv_length, expected("no CTS"),
               actual(seen.packet.recv_length), [&] {
                 return fmt::format(
                     "all {} octets have been sent, or another operation with this send_id began, uncaptured",
                     exchange.length);
               }))
    return false;
  if (exchange.window() > 0) {
    if (!exchange.early_grant) {
      exchange.early_grant = {seen.mark(), exchange.granted};
    }
    return true;
  }
  require(judge, rule<"EFA-3.2-104">, true, seen, Field::recv_length, expected(""), actual(""));
  return true;
}

}  // namespace

void judge_fresh_data(Judge& judge, const SeenPacket& seen, Exchange& exchange, std::uint64_t offset) {
  judge_early_receipt(judge, seen, exchange);
  if (!exchange.early_grant || offset >= exchange.early_grant->end) return;
  judge.at(marked(exchange.early_grant->mark, exchange.sink()));
  judge.require(rule<"EFA-3.2-104">, false, {0, exchange.early_grant->mark.octets},
                expected([&] { return fmt::format("a CTS after all octets before {}", exchange.early_grant->end); }),
                actual([&] { return fmt::format("octets at {} come after it", offset); }),
                "what the CTS before it allowed had not all been sent");
  judge.at(seen.message);
  exchange.early_grant.reset();
  exchange.contradict();
}

void judge_cts(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  Exchanges& exchanges = state.exchanges();
  Exchange* const exchange = exchanges.sender_answered(seen, packet.send_id);
  if (exchange == nullptr) return judge_stray(judge, seen, state);
  require(judge, rule<"EFA-3.2-100">, true, seen, Field::send_id, expected(""), actual(""));
  exchange->latest = seen.mark();
  if (exchange->is_unsettled()) {
    exchanges.set_recv_id_of_cts(*exchange, packet.recv_id);
    return;
  }
  // An operation that the trace does not show may have the same ID.
  if (!exchange->goes_by_cts() && !state.complete()) {
    exchange->contradict();
    return;
  }
  if (!require(judge, rule<"EFA-3.2-101">, exchange->goes_by_cts(), seen, Field::send_id,
               expected("an operation that waits for a CTS"), actual(packet.send_id), [&] {
                 return fmt::format("a {} began that operation, or another one that was not captured",
                                    exchange->request->name);
               })) {
    exchange->contradict();
    return;
  }
  if (exchange->is_resumed() &&
      !exchange->is_granted())  // its RUNTREAD packets have already carried the rest (EFA/A-16)
    exchange->granted = exchange->in_request = std::max(exchange->data.octets(), exchange->runt_octets());
  judge_read_flag(judge, seen, *exchange);
  const bool allows = require(judge, rule<"EFA-3.2-102">, packet.recv_length > 0, seen, Field::recv_length,
                              expected("at least 1"), actual(packet.recv_length), "the sender would wait for ever");
  const bool own = judge_recv_id(judge, seen, state, *exchange);
  exchanges.set_recv_id_of_cts(*exchange, packet.recv_id);
  if (!own || !allows) {
    exchange->contradict();
    return;
  }
  if (!judge_grant_after_receipt(judge, seen, *exchange)) return;
  if (!judge_moment(judge, seen, *exchange)) return;
  if (const std::uint64_t rest = exchange->length - std::min(exchange->length, exchange->granted); rest > 0)
    exchange->grant_beyond |= !advise(judge, rule<"EFA-3.2-103">, packet.recv_length <= rest, seen, Field::recv_length,
                                      expected([&] { return fmt::format("at most {}", rest); }),
                                      actual(packet.recv_length), "fewer octets are left of the message");
  exchange->grant(packet.recv_length);
  exchange->last_grant = seen.mark();
}

}  // namespace wirelaw::efa
