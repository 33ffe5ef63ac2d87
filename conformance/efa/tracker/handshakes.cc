// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {
namespace {

// UDP may duplicate a packet, and that is not reported. A device does not duplicate. Later packets may show that the
// two endpoints have met again, so that another HANDSHAKE was due.
void note_another(const Message& message, std::uint64_t digest, TraceState& state) {
  const Party& party = state.party(message.sender);
  const bool doubled = (state.may_double() || message.ip_version != 0 || party.counts_anew) && party.handshakes == 2 &&
                       digest == party.handshake_digest &&
                       !state.past_grace(*party.handshake, message.time_ns, message.index - party.handshake->index);
  auto& all = state.handshakes_again();
  if (doubled || all.size() == TraceState::MeetingAgain::kMostHandshakes) return;
  all.push_back({message.sender, mark_of(message), party.handshake->index, digest == party.handshake_digest});
}

// Notes a HANDSHAKE that follows a new meeting (EFA/A-87).
void note_greeting_again(Side sender, const Mark& handshake, TraceState& state) {
  auto& again = state.meeting_again();
  const std::size_t self = sender == Side::a ? 0 : 1;
  if (!again || again->greeted[self]) return;
  again->greeted[self] = true;
  if (again->first_handshakes[self])
    again->handshakes.push_back({sender, handshake, again->first_handshakes[self]->index, false});
}

// Endpoints that meet for the first time send a HANDSHAKE (4.4).
void note_greeting_of_new(Side sender, TraceState& state) {
  state.replacement(other(sender)).reset();
  auto& open = state.replacement(sender);
  if (open && open->had_greeted) open.reset();
}

// States when the first HANDSHAKE of a side comes.
HandshakeFact first_of(const Message& message, TraceState& state) {
  const Party& party = state.party(message.sender);
  const Party& peer = state.party(other(message.sender));
  HandshakeFact fact;
  if (!peer.first) return fact;
  if (state.from_start()) {
    fact.first = peer.first;
    fact.is_asked_for = peer.first_request.has_value();
    fact.packets = party.packets - std::min(party.packets, peer.others_at_first);
    fact.is_late = state.past_grace(*peer.first, message.time_ns, fact.packets);
  }
  state.note_latency(message.time_ns - peer.first->time_ns);
  return fact;
}

// Returns true if the peer's HANDSHAKE does not announce a feature that the packet uses.
bool lacks(const Party& peer, const Layout& layout) {
  const std::uint64_t needed = layout.extras & ~baseline_of(Revision::main);
  return peer.extras_known && (needed & ~peer.extra_info) != 0;
}

}  // namespace

std::optional<HandshakeFact> follow_handshake(const Message& message, TraceState& state) {
  Party& party = state.party(message.sender);
  const Mark mark = mark_of(message);
  note_greeting_again(message.sender, mark, state);
  note_greeting_of_new(message.sender, state);
  if (party.handshakes++ > 0) {
    party.greeted_again = mark;
    note_another(message, hash_of(message.octets), state);
    return std::nullopt;
  }
  party.handshake = mark;
  party.handshake_digest = hash_of(message.octets);
  party.packets_at_handshake = state.party(other(message.sender)).packets;
  return first_of(message, state);
}

void take_extras(const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const std::uint64_t extras =
      seen.packet.extra_info.size() < 8 ? 0 : load_little_endian<std::uint64_t>(seen.packet.extra_info.data());
  if (party.handshakes == 1) {
    party.extras_known = true;
    party.extra_info = extras;
    party.has_user_recv_qp = seen.packet.has(flag::kUserRecvQp) && party.announced(Extra::user_recv_qp);
  } else if (extras != party.extra_info) {  // the peer uses the first one that it received
    party.extra_info |= extras;
    state.note_partial("a side has announced different features in two HANDSHAKEs");
  }
}

std::optional<ExtraFact> follow_extra(const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const Party& peer = state.party(other(seen.sender()));
  if (seen.layout.extras == 0 || seen.type() == PacketType::peer_error) return std::nullopt;
  if (peer.handshake && peer.extras_known) return ExtraFact{party.document, peer.extra_info};
  if (peer.handshake) return std::nullopt;
  const bool extra_in_all = (seen.layout.extras & ~baseline_of(Revision::main)) != 0;
  auto& early = extra_in_all ? party.early_extra : party.early_baseline;
  if (!early) early = Party::Early{seen.mark(), &seen.layout, false};
  return std::nullopt;
}

std::optional<EarlyExtraFact> take_early_extra(Side side, TraceState& state, bool at_end) {
  using enum EarlyExtraFact::Case;
  Party& party = state.party(side);
  const Party& peer = state.party(other(side));
  if (party.early_judged || !state.complete() || !party.first) return std::nullopt;
  const auto& early = party.early_extra;
  const bool is_known = peer.handshake && (!early || party.handshake);
  if (!is_known && !at_end) return std::nullopt;
  if (!early && party.early_baseline) return std::nullopt;  // find_early_baseline()
  party.early_judged = true;
  if (!early) return EarlyExtraFact{.of = unused, .mark = *party.first};
  const auto of = lacks(peer, *early->layout)               ? lacking
                  : state.has_homogeneous_peers()           ? declared_homogeneous
                  : !peer.handshake                         ? no_handshake
                  : party.document.may_have(Revision::v2_6) ? maybe_homogeneous
                                                            : forbidden;
  return EarlyExtraFact{.of = of, .mark = early->mark, .layout = early->layout};
}

std::optional<EarlyExtraFact> find_early_baseline(Side side, const TraceState& state) {
  const Party& party = state.party(side);
  const auto& early = party.early_baseline;
  if (!state.complete() || party.early_extra || !early || state.has_homogeneous_peers()) return std::nullopt;
  if (party.document.has(Revision::v2_6)) return std::nullopt;
  return EarlyExtraFact{
      .of = state.party(other(side)).handshake ? EarlyExtraFact::Case::baseline : EarlyExtraFact::Case::no_handshake,
      .document = party.document,
      .mark = early->mark,
      .layout = early->layout};
}

std::optional<MissingHandshakeFact> find_missing_handshake(Side side, const TraceState& state) {
  if (!state.complete() || !state.began_with_first_message()) return std::nullopt;
  const Party& silent = state.party(side);
  const Party& peer = state.party(other(side));
  if (silent.handshake || !peer.first) return std::nullopt;
  const bool asked = peer.first_request.has_value();
  const Mark& since = asked ? *peer.first_request : *peer.first;
  const Mark& end = *state.latest();
  // A side that answers packets receives them. If the peer has sent its HANDSHAKE, the capture covers the time of
  // handshakes. A peer that leaves its raw address out has received the HANDSHAKE.
  const bool answers = silent.last_answer && silent.last_answer->index > since.index;
  return MissingHandshakeFact{
      .since = since,
      .is_asked_for = asked,
      .is_over = (answers && state.is_long_ago(since)) || state.past_grace(since, end.time_ns, end.index - since.index),
      .is_due = asked && answers && peer.handshake && !peer.stopped_addresses,
      .is_silent = silent.packets == 0};
}

std::optional<QueuePairFact> follow_queue_pair(const SeenPacket& seen, TraceState& state) {
  const Party& receiver = state.party(other(seen.sender()));
  if (!receiver.has_user_recv_qp || !state.party(seen.sender()).document.has(Revision::v2_6)) return std::nullopt;
  // A message that began before continues at the queue pair where it began.
  if (follows_read_nack(seen, state) || !state.knows_handshake(seen.sender(), seen.message)) return std::nullopt;
  return QueuePairFact{receiver.handshake->index};
}

}  // namespace wirelaw::efa
