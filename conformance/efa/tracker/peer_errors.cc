// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "conformance/efa/tracker/follow.h"
#include "reference/efa/peer_error.h"

namespace wirelaw::efa {
namespace {

constexpr std::size_t kMostGivenUp = 64;  // message IDs of one side that are remembered

PeerErrorFact::Announced announced_to(const SeenPacket& seen, const TraceState& state) {
  using enum PeerErrorFact::Announced;
  const Party& peer = state.party(other(seen.sender()));
  if (peer.extras_known) return peer.announced(Extra::peer_error) ? yes : no;
  return state.complete() && !peer.handshake && !state.has_homogeneous_peers() ? no_handshake : unknown;
}

// A message that is given up by `side` this way: of the side that reads its data, or that sends it by CTS.
bool is_of_kind(const Exchange& one, Side side) {
  if (one.request->purpose != Purpose::message) return false;
  return side == one.source() ? one.goes_by_cts() : one.request->behind == Array::read_iov;
}

bool answered(const Exchange& one) {
  return one.eors > 0 || one.course.has_open_refusal();
}

PeerErrorFact::End give_up(const SeenPacket& seen, Exchange& one) {
  if (one.given_up() == seen.sender()) return PeerErrorFact::End::again;
  if (!one.given_up() && seen.sender() == one.sink() && answered(one)) return PeerErrorFact::End::answered;
  one.give_up(seen.sender());  // its IDs are free, and nothing more is required of it
  one.latest = seen.mark();
  return PeerErrorFact::End::first;
}

void follow_operation(PeerErrorFact& fact, const SeenPacket& seen, TraceState& state) {
  const Side getter = other(seen.sender());
  Exchange* const sent = state.exchanges().by_send_id(getter, seen.packet.op_id);
  Exchange* const received = state.exchanges().by_recv_id(getter, seen.packet.op_id);
  const bool read = sent != nullptr && is_of_kind(*sent, seen.sender());
  const bool by_cts = received != nullptr && is_of_kind(*received, seen.sender());
  Exchange* const found = read ? sent : by_cts ? received : sent != nullptr ? sent : received;
  if (found != nullptr || state.complete()) fact.has_operation = found != nullptr;
  if (found == nullptr) return;
  if (read && by_cts && sent != received) {  // either may be meant
    sent->contradict();
    received->contradict();
    return;
  }
  if (found->is_unsettled() && !found->given_up()) return;
  fact.operation = found->operation();
  fact.is_of_kind = read || by_cts;
  if (fact.is_of_kind)
    fact.end = give_up(seen, *found);
  else
    found->contradict();
}

void note_given_up_id(Party& party, const SeenPacket& seen, bool awaited) {
  const std::uint32_t id = seen.packet.op_id;
  if (party.given_up.size() >= kMostGivenUp) party.given_up.erase(party.given_up.begin());
  party.given_up.push_back({id, seen.mark(), seen.at(Field::op_id), awaited});
  // It has its place in the order of messages.
  party.message_ids.add(id);
  party.rtm_ids.add(id);
}

void follow_skipped(PeerErrorFact& fact, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const std::uint32_t id = seen.packet.op_id;
  fact.is_in_use = std::ranges::count(party.given_up, id, &Party::GivenUp::msg_id) == 0;
  if (!*fact.is_in_use) return;
  Exchange* const found = state.exchanges().by_msg_id(seen.sender(), id);
  const bool waits_for_cts = found != nullptr && found->goes_by_cts() && !found->is_granted();
  fact.is_unsent = !party.message_ids.has(id) || waits_for_cts;
  if (found != nullptr) {
    fact.end = give_up(seen, *found);
    return;
  }
  note_given_up_id(party, seen, false);
  if (!party.first_message_id) party.first_message_id = seen.mark();
}

void follow_message(PeerErrorFact& fact, const SeenPacket& seen, TraceState& state) {
  const std::uint32_t id = seen.packet.op_id;
  Exchange* const found = state.exchanges().by_msg_id(seen.sender(), id);
  fact.has_message = found != nullptr || state.party(seen.sender()).message_ids.has(id);
  if (found != nullptr)
    fact.end = give_up(seen, *found);
  else if (!fact.has_message)
    note_given_up_id(state.party(seen.sender()), seen, state.complete());
}

// The exchange of the packet, if packets of its type belong to exchanges that may be given up.
Exchange* exchange_of(const SeenPacket& seen, TraceState& state) {
  Exchanges& exchanges = state.exchanges();
  const Side peer = other(seen.sender());
  switch (seen.type()) {
    case PacketType::cts:
    case PacketType::eor:
    case PacketType::read_nack:
    case PacketType::receipt:
      return exchanges.by_send_id(peer, seen.packet.send_id);
    case PacketType::ctsdata:
      return exchanges.by_recv_id(peer, seen.packet.recv_id);
    default:
      return seen.layout.purpose == Purpose::message ? exchanges.by_msg_id(seen.sender(), seen.packet.msg_id) : nullptr;
  }
}

}  // namespace

PeerErrorFact follow_peer_error(const SeenPacket& seen, TraceState& state) {
  state.note_peer_error();
  PeerErrorFact fact{.announced = announced_to(seen, state),
                     .extra_info = state.party(other(seen.sender())).extra_info};
  if (seen.packet.ref_kind >= kRefKinds.size()) return fact;
  switch (static_cast<RefKind>(seen.packet.ref_kind)) {
    case RefKind::ope_index:
      follow_operation(fact, seen, state);
      break;
    case RefKind::msg_id:
      follow_message(fact, seen, state);
      break;
    case RefKind::msg_id_skip:
      follow_skipped(fact, seen, state);
      break;
  }
  return fact;
}

std::optional<GivenUpFact> follow_given_up(const SeenPacket& seen, TraceState& state) {
  if (seen.type() == PacketType::peer_error) return std::nullopt;
  // A packet that may have been sent before the PEER_ERROR, which overtook it, is not judged: SRD keeps no order. Data
  // that could be read and could not is contradictory in either order.
  const auto by_sender = [&](const Mark& mark) {
    const bool is_later = TraceState::is_past_transit(mark.time_ns, seen.message.time_ns);
    return is_later || seen.type() == PacketType::eor ? std::optional(mark) : std::nullopt;
  };
  auto& all = state.party(seen.sender()).given_up;
  const auto given_up =
      seen.layout.ordered() ? std::ranges::find(all, seen.packet.msg_id, &Party::GivenUp::msg_id) : all.end();
  if (given_up != all.end()) {
    if (!TraceState::is_past_transit(given_up->mark.time_ns, seen.message.time_ns)) given_up->awaited = false;
    return GivenUpFact{.by_sender = by_sender(given_up->mark), .is_of_message_id = true};
  }
  const Exchange* const one = exchange_of(seen, state);
  if (one == nullptr || !one->given_up()) return std::nullopt;
  if (one->given_up() != seen.sender()) return GivenUpFact{};
  return GivenUpFact{.by_sender = by_sender(one->latest)};
}

}  // namespace wirelaw::efa
