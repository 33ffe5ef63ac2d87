// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {
namespace {

// The send_id in the first packet of a message, before its exchange begins.
std::optional<IdFact> send_id_of(const SeenPacket& seen, TraceState& state) {
  if (!state.complete()) return std::nullopt;
  const Exchange* const older = state.exchanges().by_send_id(seen.sender(), seen.packet.send_id);
  if (older == nullptr || !older->source_waits()) return IdFact{};
  if (state.may_have_met_again(seen)) return std::nullopt;
  return IdFact{older->operation(), older->request->delivery_complete && older->granted >= older->length};
}

// Returns true if the packet repeats the first packet of a message. Section 3.2 reports its message ID.
bool is_repeated(const SeenPacket& seen, TraceState& state) {
  return seen.doubled && state.exchanges().by_msg_id(seen.sender(), seen.packet.msg_id) != nullptr;
}

std::optional<HeaderFact> follow_header(const SeenPacket& seen, TraceState& state) {
  constexpr std::size_t kCqData = 8;
  if (seen.layout.type != PacketType::eager_msgrtm) return std::nullopt;
  Party& party = state.party(seen.sender());
  const Party& peer = state.party(other(seen.sender()));
  const bool has_address = seen.packet.has(flag::kRawAddress);
  const std::size_t length = seen.headers - (seen.packet.has(flag::kCqData) ? kCqData : 0);
  std::optional<HeaderFact> fact;
  if (peer.announced(Extra::constant_header_length) && party.eager_header && state.partial().empty()) {
    fact = {.length = length, .before = *party.eager_header, .was_kept = party.keeps_header};
    if (length == fact->before && has_address && state.knows_handshake(seen.sender(), seen.message))
      party.keeps_header = true;
  }
  // A raw address that was missing before the HANDSHAKE is another fault.
  if (peer.handshake || has_address) party.eager_header = length;
  return fact;
}

// The message that the packet belongs to; nullptr if it begins one. An ID that another operation or a complete message
// has used is reported by itself.
Exchange* medium_message(const SeenPacket& seen, TraceState& state) {
  Exchange* const found = state.exchanges().by_msg_id(seen.sender(), seen.packet.msg_id);
  const bool same = found != nullptr && found->request->transfer == Transfer::medium;
  return same && (!found->is_done() || seen.doubled) ? found : nullptr;
}

MediumFact::Length length_of(const Segment& segment, const Party& party, const Exchange* known) {
  MediumFact::Length fact{.possible = party.medium_readings, .is_first = known == nullptr};
  if (known != nullptr) {
    fact.possible &= static_cast<std::uint8_t>(known->reading);
    if ((known->reading & kTotalRead) != 0) fact.total = known->length;
  }
  const bool may_be_total = fact.is_first || fact.total == segment.length;
  if (segment.length == segment.octets) fact.alone |= kSegmentRead;
  if (may_be_total && segment.ends_by(segment.length)) fact.alone |= kTotalRead;
  return fact;
}

// Returns false if the packet belongs to no message that can be followed.
bool goes_on(MediumFact& fact, const SeenPacket& seen, Exchange& exchange) {
  exchange.latest = seen.mark();
  if (exchange.is_unsettled()) return false;
  if (seen.doubled && Segment(seen).is_in(exchange.data)) {
    fact.is_copy = !exchange.is_over();
    return false;
  }
  fact.begun = {.request = exchange.request, .tag = exchange.tag, .cq_data = exchange.cq_data};
  if (seen.layout.delivery_complete) fact.begun->send_id = exchange.send_id;
  const bool same_id = !fact.begun->send_id || *fact.begun->send_id == seen.packet.send_id;
  if (exchange.request == &seen.layout && same_id) return true;
  exchange.contradict();
  return false;
}

void take_segment(MediumFact& fact, const SeenPacket& seen, Exchange& exchange) {
  const Segment segment(seen);
  fact.is_followed = true;
  if ((exchange.reading & kTotalRead) != 0) exchange.length = segment.length;
  if (exchange.reading == kSegmentRead) exchange.length = 0;
  if (segment.octets == 0) return;
  fact.fresh = exchange.data.add(segment.offset, segment.offset + segment.octets, TraceState::kMostGaps);
  if (fact.fresh != segment.octets) return exchange.contradict();
  exchange.last_data = seen.mark();
  exchange.data_end = std::max(exchange.data_end, segment.offset + segment.octets);
  fact.receipt = take_early_receipt(exchange);
  if (!exchange.may_have_more() && exchange.has_all_data() && !exchange.request->delivery_complete) exchange.finish();
}

}  // namespace

MessageFact follow_eager_message(const SeenPacket& seen, TraceState& state) {
  MessageFact fact{.header = follow_header(seen, state)};
  fact.is_followed = seen.layout.delivery_complete && !is_repeated(seen, state);
  if (!fact.is_followed) return fact;
  fact.send_id = send_id_of(seen, state);
  state.begin(seen);
  return fact;
}

MessageFact follow_longcts_message(const SeenPacket& seen, TraceState& state) {
  if (is_repeated(seen, state)) return {};
  const std::uint64_t carried = seen.payload_octets();
  const MessageFact fact{.is_followed = true, .send_id = send_id_of(seen, state)};
  Exchange& message = state.begin(seen);
  // If it is marked, it follows a READ_NACK that was not captured, so the offset of the remaining data is unknown.
  if (carried > message.length || seen.packet.has(flag::kReadNack)) message.contradict();
  message.granted = message.in_request = carried;
  message.data.add(0, carried, TraceState::kMostGaps);
  message.last_data = message.begun;
  if (carried == message.length && !seen.layout.delivery_complete && !message.is_unsettled()) message.finish();
  return fact;
}

MediumFact follow_medium_message(const SeenPacket& seen, TraceState& state) {
  MediumFact fact;
  Party& party = state.party(seen.sender());
  Exchange* exchange = medium_message(seen, state);
  if (exchange != nullptr && !goes_on(fact, seen, *exchange)) return fact;
  const MediumFact::Length length = length_of(Segment(seen), party, exchange);
  // If nothing is possible, two messages began before either was settled, and the other one was reported.
  if (length.possible != 0) fact.length = length;
  if (length.left() != 0) party.medium_readings = length.left();
  if (exchange == nullptr) {
    if (seen.layout.delivery_complete) fact.send_id = send_id_of(seen, state);
    exchange = &state.begin(seen);
    if (seen.packet.has(flag::kCqData)) exchange->cq_data = seen.packet.cq_data;
  }
  exchange->reading = length.left();
  if (length.left() == 0) exchange->contradict();
  if (!exchange->is_unsettled()) take_segment(fact, seen, *exchange);
  return fact;
}

}  // namespace wirelaw::efa
