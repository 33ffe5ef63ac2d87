// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {
namespace {

bool is_later(std::uint32_t id, std::uint32_t than) {
  return id != than && id - than < 0x8000'0000u;
}

bool continues_ids(const SeenPacket& seen, const Party& party) {
  return seen.layout.ordered() && party.message_ids.any() && is_later(seen.packet.msg_id, party.message_ids.newest());
}

// True if the two endpoints have not met again: the packet's message ID continues the earlier ones, and the other side
// has just sent something. It would be silent if it had ended before another endpoint took its place.
bool goes_on(const SeenPacket& seen, const Party& party, const Party& peer) {
  return continues_ids(seen, party) && !TraceState::is_past_transit(peer.latest.time_ns, seen.message.time_ns);
}

// A REQ with a raw address has a later msg_id than one without: its sender had received the HANDSHAKE before, wherever
// the packets were seen. Only a request that is one packet and waits for nothing shows when it was sent.
std::optional<AddressHeaderFact> find_return(const SeenPacket& seen, Party& party) {
  if (!seen.layout.ordered()) return std::nullopt;
  const bool there = seen.packet.has(flag::kRawAddress);
  Party::Addressed& known = party.addressed[seen.layout.purpose == Purpose::atomic ? 1 : 0];
  const std::uint32_t id = seen.packet.msg_id;
  if (there && (!known.with || is_later(id, *known.with))) {
    known.with = id;
    known.with_mark = seen.mark();
  }
  const bool telling = seen.layout.extras == 0 && seen.layout.transfer == Transfer::eager;
  if (!there && telling && (!known.without || is_later(*known.without, id))) known.without = id;
  if (!known.with || !known.without || !is_later(*known.with, *known.without)) return std::nullopt;
  if (!there && !telling) return std::nullopt;
  const Party::Addressed found = std::exchange(known, {});
  return AddressHeaderFact{.sender = seen.sender(),
                           .mark = found.with_mark,
                           .is_there = true,
                           .order = AddressHeaderFact::Order{.without = *found.without, .with = *found.with}};
}

// Evidence of a new meeting (EFA/A-87) may still come, so the fact is kept until the end of the flow, or until such
// evidence is ruled out.
std::nullopt_t keep(TraceState& state, const AddressHeaderFact& fact) {
  if (!state.address_again()) state.address_again() = fact;
  return std::nullopt;
}

// If the flow was not seen from its start, message ID 0 may begin a new meeting, whatever came before (EFA/A-87).
bool may_begin(const SeenPacket& seen, const TraceState& state) {
  return seen.layout.ordered() && seen.packet.msg_id == 0 && !state.from_start() && !state.has_met_again();
}

void note_bare_request(const SeenPacket& seen, const TraceState& state, Party& party) {
  if (party.bare_request) return;
  // If the other side spoke first and did not begin a flow, the two may have met before the first packet.
  const bool may_have_met = seen.message.index > 0 && !state.from_start();
  const bool first = party.packets == 0 && !may_have_met && !(seen.layout.ordered() && seen.packet.msg_id != 0);
  party.bare_request = Party::Early{seen.mark(), &seen.layout, first, state.party(other(seen.sender())).packets};
}

}  // namespace

std::optional<AddressHeaderFact> follow_address_header(const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const Party& peer = state.party(other(seen.sender()));
  const bool there = seen.packet.has(flag::kRawAddress);
  const bool comes_back = there && party.stopped_addresses;
  if (!there) party.stopped_addresses = true;
  if (!peer.handshake) {
    if (!there) note_bare_request(seen, state, party);
    return std::nullopt;
  }
  if (!peer.extras_known || peer.announced(Extra::constant_header_length) || party.counts_anew) return std::nullopt;
  if (state.partial().empty())
    if (auto fact = find_return(seen, party)) {
      fact->continues_ids = there && continues_ids(seen, party);
      return there && goes_on(seen, party, peer) ? fact : keep(state, *fact);
    }
  if (!state.knows_handshake(seen.sender(), seen.message)) return std::nullopt;
  const AddressHeaderFact fact{.sender = seen.sender(),
                               .mark = seen.mark(),
                               .is_there = there,
                               .handshake = peer.handshake->index,
                               .may_be_copy = there && state.may_be_copy(seen),
                               .continues_ids = continues_ids(seen, party)};
  if (comes_back && may_begin(seen, state)) return std::nullopt;
  if (comes_back && !fact.may_be_copy && !goes_on(seen, party, peer)) return keep(state, fact);
  return fact;
}

std::optional<FirstRequestsFact> first_requests_of(Side side, bool has_handshake, const TraceState& state) {
  const Party& party = state.party(side);
  const auto& bare = party.bare_request;
  // A flow that is seen from its start begins with a raw address. If its very first packet has none, that is a fault if
  // the HANDSHAKE that answers it shows that it was the first. That HANDSHAKE is the next packet of the other side,
  // since a later one may come from two endpoints that have met again (EFA/A-87).
  const bool is_answered = has_handshake && bare && bare->others == state.party(other(side)).packets;
  const bool of_the_start = state.complete() || (bare && bare->first && is_answered && !party.counts_anew);
  if (!party.first_request || !of_the_start) return std::nullopt;
  if (!bare) return FirstRequestsFact{.mark = *party.first_request, .has_handshake = has_handshake};
  return FirstRequestsFact{.mark = bare->mark, .bare = bare->layout, .has_handshake = has_handshake};
}

}  // namespace wirelaw::efa
