// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {
namespace {

// The conclusion from a raw address whose connid differs from the earlier one.
enum class Change : std::uint8_t {
  same_endpoint,     // its raw address is wrong
  another_endpoint,  // another endpoint has taken its place (4.4)
  open,              // later packets decide
};

// An endpoint that has replaced another one (4.4) starts like every endpoint. A new address before the other side's
// HANDSHAKE, or in the middle of a sequence of messages, comes from the same endpoint. The device may deliver another
// message before its first one, so an ID that has been used is not the next of the sequence either. An endpoint that
// received the HANDSHAKE long ago no longer needs a raw address.
Change change_of(const SeenPacket& seen, std::uint32_t connid, const TraceState& state) {
  const Party& self = state.party(seen.sender());
  const Party& peer = state.party(other(seen.sender()));
  if (!self.connid || *self.connid == connid) return Change::same_endpoint;
  if (!seen.layout.ordered()) {
    if (peer.handshake || state.is_met_as_new(seen.sender())) return Change::another_endpoint;
    return self.counts_anew || !state.from_start() ? Change::open : Change::same_endpoint;
  }
  const MessageIds& ids = self.message_ids;
  const std::uint32_t id = seen.packet.msg_id;
  if (id == 0 && (ids.any() ? ids.newest() + 1 != 0 : !state.from_start())) return Change::another_endpoint;
  const bool is_segment = seen.layout.transfer == Transfer::medium || seen.layout.transfer == Transfer::runting_read;
  if (ids.has(id) && !is_segment) return Change::another_endpoint;
  const bool had_handshake = peer.handshake && !peer.announced(Extra::constant_header_length) &&
                             TraceState::is_past_transit(peer.handshake->time_ns, seen.message.time_ns);
  // Packets with the new connid may have arrived before this one. If the flow was not seen from its start, the
  // HANDSHAKE may have been missed.
  return had_handshake || self.is_ahead_with(connid) || !state.from_start() ? Change::open : Change::same_endpoint;
}

// Assumes that the sender of a raw address is another endpoint, until the end of the flow shows if it started like one.
std::optional<ReplacementFact> begin_anew_by_address(const SeenPacket& seen, const RawAddress& address,
                                                     TraceState& state) {
  constexpr std::size_t kSize = 4, kConnid = 20;  // octets of the size field, offset in the address
  const auto before = state.party(seen.sender()).raw_address;
  const OctetRange where{seen.at(Field::raw_address_size).offset + kSize + kConnid, 4};
  const auto unproven = begin_anew_for_now(seen, where, *state.party(seen.sender()).connid, address.connid, state);
  ReplacementFact& open = *state.replacement(seen.sender());
  open.former_address = before;
  open.address = address;
  return unproven;
}

// Evidence of another endpoint after the packet that left it open: it begins its messages with 0 (3.2).
void note_first_message(const SeenPacket& seen, const RawAddress& address, TraceState& state) {
  auto& open = state.replacement(seen.sender());
  if (open && open->former_address && open->connid == address.connid && seen.layout.ordered() &&
      seen.packet.msg_id == 0)
    open.reset();
}

}  // namespace

RawAddressFact follow_raw_address(const SeenPacket& seen, TraceState& state) {
  RawAddressFact fact;
  const auto address = decode_raw_address(seen.packet.raw_address);
  if (!address) return fact;
  fact.address = *address;
  const Change change = change_of(seen, address->connid, state);
  if (change == Change::another_endpoint) state.begin_anew(seen.sender(), *state.party(seen.sender()).connid);
  if (change == Change::open) fact.unproven = begin_anew_by_address(seen, *address, state);
  note_first_message(seen, *address, state);
  fact.network = state.address(seen.sender());
  fact.is_udp = state.may_double() || seen.message.ip_version != 0;
  Party& party = state.party(seen.sender());
  fact.before = party.raw_address;
  if (!party.raw_address) {
    fact.connid_before = party.connid;
    party.raw_address = address;
    if (!party.connid) party.connid = address->connid;
  }
  const auto known = fact.before ? std::optional(fact.before->connid) : fact.connid_before;
  if (known && *known != address->connid) state.note_several_connids(seen.sender());
  return fact;
}

bool is_of_replaced(const SeenPacket& seen, const TraceState& state) {
  const auto& former = state.party(seen.sender()).former_connid;
  return former && said_connid(seen.packet) == former;
}

std::optional<ReplacementFact> begin_anew_for_now(const SeenPacket& seen, OctetRange where, std::uint32_t former,
                                                  std::uint32_t connid, TraceState& state) {
  const bool had_greeted = state.party(seen.sender()).handshake.has_value();
  const auto unproven = take_replacement(seen.sender(), state);
  state.begin_anew(seen.sender(), former);
  state.replacement(seen.sender()) = ReplacementFact{.side = seen.sender(),
                                                     .former = former,
                                                     .connid = connid,
                                                     .mark = seen.mark(),
                                                     .where = where,
                                                     .had_greeted = had_greeted};
  return unproven;
}

ReplacedFact note_replaced(const SeenPacket& seen, TraceState& state) {
  state.note_partial("packets come of an endpoint that another has replaced");
  ReplacedFact fact;
  auto& open = state.replacement(seen.sender());
  const auto& in_question = open ? open : state.replacement(other(seen.sender()));
  if (!in_question) return fact;
  fact.was_long_known = was_long_known(in_question->side, in_question->former, in_question->mark.time_ns, state);
  if (!open) return fact;
  if (TraceState::is_past_transit(open->mark.time_ns, seen.message.time_ns)) open->has_former_returned = true;
  if (open->has_former_returned) fact.unproven = take_replacement(seen.sender(), state);
  return fact;
}

std::optional<ReplacementFact> take_replacement(Side side, TraceState& state) {
  auto open = std::exchange(state.replacement(side), std::nullopt);
  if (open)
    open->is_due = open->has_former_returned || state.owes_answer(other(side), open->mark) ||
                   (open->former_address && state.owes_data(side, open->mark));
  return open;
}

}  // namespace wirelaw::efa
