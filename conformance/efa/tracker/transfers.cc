// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {
namespace {

// The exchange that a CTS with a wrong send_id was meant for is unknown, so nothing is concluded for any candidate.
CtsFact follow_stray_cts(const SeenPacket& seen, TraceState& state) {
  state.party(seen.sender()).note_stray_grant(seen.packet.recv_id);
  if (!state.complete()) return {};
  bool unsure = false;
  state.exchanges().each_recent([&](Exchange& one) {
    // A faulty answer may have named the ID.
    unsure = unsure || (one.sink() == seen.sender() && one.request->purpose == Purpose::read && one.is_unsettled());
    if (one.sink() != seen.sender() || !one.goes_by_cts() || one.is_done()) return;
    unsure = unsure || one.is_unsettled();
    one.contradict();
  });
  return {.has_operation = unsure ? std::nullopt : std::optional(false)};
}

std::optional<CtsFact::Receive> receive_of(const Exchange& exchange, const SeenPacket& seen, TraceState& state) {
  if (exchange.recv_id) return CtsFact::Receive{.id = exchange.recv_id};
  if (!state.complete()) return std::nullopt;
  const Exchange* const older = state.exchanges().by_recv_id(seen.sender(), seen.packet.recv_id);
  if (older == nullptr || !older->sink_waits()) return CtsFact::Receive{};
  return CtsFact::Receive{.holder = older->operation()};
}

CtsFact::Moment moment_of(const Exchange& exchange, const SeenPacket& seen, bool may_be_copy) {
  const bool all = exchange.has_all_data();
  const bool early = exchange.window() > 0;
  // Nothing but a copy comes after all data, however late it is.
  if (exchange.is_granted() && (all ? seen.doubled : early && may_be_copy)) return CtsFact::Moment::copy;
  if (all) return CtsFact::Moment::after_all;
  return early ? CtsFact::Moment::early : CtsFact::Moment::in_time;
}

void follow_grant(CtsFact& fact, const SeenPacket& seen, bool may_be_copy, Exchange& exchange) {
  fact.moment = moment_of(exchange, seen, may_be_copy);
  fact.length = exchange.length;
  // The receiver of both copies may have sent the sum of both grants.
  if (fact.moment == CtsFact::Moment::copy) exchange.contradict();
  if (fact.moment == CtsFact::Moment::copy || fact.moment == CtsFact::Moment::after_all) return;
  if (fact.moment == CtsFact::Moment::early && !exchange.early_grant)
    exchange.early_grant = {seen.mark(), exchange.granted};
  if (exchange.granted < exchange.length) {
    fact.rest = exchange.length - exchange.granted;
    exchange.grant_beyond |= seen.packet.recv_length > *fact.rest;
  }
  exchange.grant(seen.packet.recv_length);
  exchange.last_grant = seen.mark();
}

// A CTS that names no operation which has been seen may name one whose request was overtaken on its way.
bool may_be_allowed(const SeenPacket& seen, const TraceState& state) {
  const Party& peer = state.party(other(seen.sender()));
  return peer.strays_forgotten || std::ranges::find(peer.stray_grants, seen.packet.recv_id) != peer.stray_grants.end();
}

// For a CTSDATA whose recv_id no operation has. It may belong to an operation that may send, or have come before any
// grant. The intended operation is unknown, so nothing is concluded for any candidate.
CtsdataFact follow_stray_data(const SeenPacket& seen, TraceState& state) {
  if (!state.complete() || may_be_allowed(seen, state)) return {};
  bool allowed = false, waiting = false, unsure = false;
  state.exchanges().each_recent([&](Exchange& one) {
    if (one.source() != seen.sender() || !one.goes_by_cts() || one.is_done()) return;
    (one.is_unsettled() ? unsure : one.window() > 0 ? allowed : waiting) = true;
    one.contradict();
  });
  if (unsure) return {};
  return {.of = waiting && !allowed ? CtsdataFact::Of::waiting : CtsdataFact::Of::none};
}

CtsdataFact::Place place_of(const SeenPacket& seen, const Exchange& exchange) {
  using enum CtsdataFact::Beyond;
  const std::uint64_t offset = seen.packet.seg_offset, octets = seen.payload_octets();
  const auto ends_by = [&](std::uint64_t end) { return offset <= end && octets <= end - offset; };
  if (offset < exchange.in_request) return {request, exchange.in_request};
  if (!ends_by(exchange.length)) return {message, exchange.length};
  if (!ends_by(exchange.granted)) return {grant, exchange.granted};
  return {};
}

FreshDataFact follow_fresh_data(Exchange& exchange, std::uint64_t offset) {
  FreshDataFact fact{.receipt = take_early_receipt(exchange)};
  if (!exchange.early_grant || offset >= exchange.early_grant->end) return fact;
  fact.grant = std::exchange(exchange.early_grant, std::nullopt);
  exchange.contradict();
  return fact;
}

// For data that may be the exchange's.
void follow_data(CtsdataFact& fact, const SeenPacket& seen, Exchange& exchange) {
  const std::uint64_t offset = seen.packet.seg_offset, octets = seen.payload_octets();
  fact.is_copy = seen.doubled && octets <= ~offset && exchange.data.has(offset, offset + octets);
  if (fact.is_copy) return;
  fact.place = place_of(seen, exchange);
  if (fact.place->beyond == CtsdataFact::Beyond::nothing)
    fact.fresh = exchange.data.add(offset, offset + octets, TraceState::kMostGaps);
  if (fact.fresh != octets) return exchange.contradict();
  exchange.last_data = seen.mark();
  fact.shown = follow_fresh_data(exchange, offset);
  if (exchange.has_all_data() && !exchange.request->delivery_complete) exchange.finish();
}

// An unsettled exchange is not judged, but its last data shows when its IDs are free.
void follow_data_of_unsettled(const SeenPacket& seen, Exchange& exchange) {
  const std::uint64_t offset = seen.packet.seg_offset, octets = seen.payload_octets();
  if (!exchange.goes_by_cts() || exchange.is_done() || offset > exchange.length || octets > exchange.length - offset)
    return;
  exchange.data.add(offset, offset + octets, TraceState::kMostGaps);
}

// For a RECEIPT that names no operation. It may be meant for a waiting one, or none may have been requested.
ReceiptFact follow_stray_receipt(const SeenPacket& seen, TraceState& state) {
  if (!state.complete()) return {};
  bool waiting = false, unsure = false;
  state.exchanges().each_recent([&](Exchange& one) {
    if (one.requester == seen.sender() || !one.request->delivery_complete || one.receipts > 0) return;
    (one.is_unsettled() ? unsure : waiting) = true;
    one.contradict();
  });
  if (unsure) return {};
  return {.of = waiting ? ReceiptFact::Of::no_such : ReceiptFact::Of::none};
}

}  // namespace

std::optional<Mark> take_early_receipt(Exchange& exchange) {
  if (exchange.receipt) exchange.contradict();
  return std::exchange(exchange.receipt, std::nullopt);
}

CtsFact follow_cts(const SeenPacket& seen, TraceState& state) {
  Exchanges& exchanges = state.exchanges();
  Exchange* const exchange = exchanges.sender_answered(seen, seen.packet.send_id);
  if (exchange == nullptr) return follow_stray_cts(seen, state);
  CtsFact fact{.has_operation = true};
  exchange->latest = seen.mark();
  if (exchange->is_unsettled()) {
    exchanges.set_recv_id_of_cts(*exchange, seen.packet.recv_id);
    return fact;
  }
  fact.is_awaited = exchange->goes_by_cts();
  // An operation that the trace does not show may have the same ID.
  if (fact.is_awaited || state.complete()) fact.request = exchange->request;
  if (!fact.is_awaited) {
    exchange->contradict();
    return fact;
  }
  if (exchange->is_resumed() && !exchange->is_granted())  // RUNTREAD packets have carried the rest (EFA/A-16)
    exchange->granted = exchange->in_request = std::max(exchange->data.octets(), exchange->runt_octets());
  fact.receive = receive_of(*exchange, seen, state);
  exchanges.set_recv_id_of_cts(*exchange, seen.packet.recv_id);
  if ((fact.receive && !fact.receive->has(seen.packet.recv_id)) || seen.packet.recv_length == 0) {
    exchange->contradict();
    return fact;
  }
  // The data that an earlier CTS allowed passes before the RECEIPT. Only a copy of a CTS comes after it.
  const bool may_be_copy = state.may_be_copy(seen);
  if (exchange->receipt && !exchange->has_all_data() && !may_be_copy)
    fact.receipt = take_early_receipt(*exchange);
  else
    follow_grant(fact, seen, may_be_copy, *exchange);
  return fact;
}

CtsdataFact follow_ctsdata(const SeenPacket& seen, TraceState& state) {
  const std::uint64_t octets = seen.payload_octets();
  Exchange* const exchange = state.exchanges().receiver_answered(seen, seen.packet.recv_id);
  if (seen.packet.seg_length != octets) {
    if (exchange != nullptr) exchange->contradict();
    return {};
  }
  if (exchange == nullptr) return follow_stray_data(seen, state);
  exchange->latest = seen.mark();
  if (octets == 0) return {};
  if (exchange->is_unsettled()) {
    follow_data_of_unsettled(seen, *exchange);
    return {};
  }
  // A CTS gave the same recv_id for an operation that has not been seen, so the data may be that one's.
  if (may_be_allowed(seen, state)) {
    exchange->contradict();
    return {};
  }
  // Before the trace began, another operation may have had the ID, and its data may still come.
  if (!exchange->goes_by_cts() && !state.complete()) return {};
  CtsdataFact fact{.of = exchange->goes_by_cts() ? CtsdataFact::Of::awaited : CtsdataFact::Of::other,
                   .request = exchange->request};
  if (fact.of == CtsdataFact::Of::awaited) follow_data(fact, seen, *exchange);
  return fact;
}

ReceiptFact follow_receipt(const SeenPacket& seen, TraceState& state) {
  using enum ReceiptFact::Of;
  Exchange* const exchange = state.exchanges().sender_answered(seen, seen.packet.send_id);
  if (exchange == nullptr) return follow_stray_receipt(seen, state);
  exchange->latest = seen.mark();
  if (exchange->is_unsettled()) {
    ++exchange->receipts;
    return {};
  }
  ReceiptFact fact{.request = exchange->request};
  if (exchange->request->purpose == Purpose::message) fact.msg_id = exchange->msg_id;
  if (!exchange->request->delivery_complete) {
    // The RECEIPT may also be for an operation that the trace does not show.
    fact.of = state.complete() ? unasked : doubtful;
  } else if (exchange->receipts > 0) {
    fact.of = another;
    fact.before = exchange->receipt->index;
  } else {
    fact.of = first;
    fact.has_all_data = exchange->has_all_data();
    exchange->receipts = 1;
    exchange->receipt = seen.mark();
    if (fact.msg_id && fact.msg_id != seen.packet.msg_id) exchange->contradict();
    if (fact.has_all_data && !exchange->may_have_more()) exchange->finish();
  }
  return fact;
}

}  // namespace wirelaw::efa
