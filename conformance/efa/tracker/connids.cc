// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {
namespace {

bool is_multiuse(const Layout& layout) {
  const FieldRow* const row = layout.find(Field::connid);
  return row != nullptr && row->multiuse;
}

bool is_whole_handshake(const SeenPacket& seen) {
  return seen.type() == PacketType::handshake && seen.packet.payload.empty();
}

// True for the first HANDSHAKE of a side that has been silent for long: another endpoint may have replaced it before it
// sent its own. True too for the first packet of a side since another endpoint replaced its peer.
bool may_greet_as_another(const SeenPacket& seen, const Party& party) {
  if (!is_whole_handshake(seen)) return false;
  return party.packets > 0 ? TraceState::is_past_transit(party.latest.time_ns, seen.message.time_ns)
                           : party.counts_anew && !party.handshake;
}

// A HANDSHAKE with another connid shows another endpoint in the place of the one before (EFA/A-64) if that one has sent
// its own, or if answers with the same connid have overtaken this one. This is unknown if the HANDSHAKE is faulty.
bool greets_as_another(const SeenPacket& seen, const Party& party) {
  return is_whole_handshake(seen) && (party.handshake || party.is_ahead_with(seen.packet.connid));
}

void follow_value(ConnidFact& fact, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const std::uint32_t connid = seen.packet.connid;
  const bool has_another = party.connid && connid != *party.connid;
  if (has_another && (greets_as_another(seen, party) || state.is_met_as_new(seen.sender())))
    state.begin_anew(seen.sender(), *party.connid);
  else if (has_another && may_greet_as_another(seen, party))
    fact.unproven = begin_anew_for_now(seen, seen.at(Field::connid), *party.connid, connid, state);
  // A faulty HANDSHAKE may contain the connid of its receiver. That shows if its sender's own is not known.
  const auto& of_peer = state.party(other(seen.sender())).connid;
  if (seen.type() == PacketType::handshake && !party.connid && of_peer) {
    fact.is_own = connid != *of_peer;
    if (!*fact.is_own) return;
  }
  fact.by_address = party.raw_address.has_value();
  fact.before = fact.by_address ? std::optional(party.raw_address->connid) : party.connid;
  if (fact.before && *fact.before != connid) state.note_several_connids(seen.sender());
  if (!party.connid) party.connid = connid;
  party.uses_connid = true;
}

// The place of the sender's connid in a packet with CONNID_HDR clear; an empty range if it has none.
OctetRange unannounced(const SeenPacket& seen, std::uint32_t connid) {
  constexpr std::size_t kConnidOctets = 4, kPadded = 8;
  const bool in_data = seen.type() == PacketType::ctsdata;
  if (!in_data && !seen.layout.is_request()) return {};
  if (in_data && seen.payload_octets() != seen.packet.seg_length + kPadded) return {};
  const std::size_t at = seen.headers - seen.packet.read_iov.size();  // offset after the optional headers
  const Octets octets = seen.message.octets;
  if (octets.size() < at + kConnidOctets) return {};
  return load_little_endian<std::uint32_t>(octets.data() + at) == connid ? OctetRange{at, kConnidOctets} : OctetRange{};
}

ConnidFact::Unannounced follow_unannounced(const SeenPacket& seen, std::uint32_t connid) {
  // A word that is padding may hold anything.
  if (is_multiuse(seen.layout))
    return {.in_padding = true, .is_there = seen.packet.connid == connid && !seen.packet.short_header};
  const OctetRange where = unannounced(seen, connid);
  return {.is_there = where.length != 0, .where = where};
}

// The HANDSHAKE that asks for a connid in this packet, if its sender can give one: the request of one that cannot may
// be ignored (2.1).
std::optional<std::uint64_t> asked_by(const SeenPacket& seen, const TraceState& state) {
  const Party& party = state.party(seen.sender());
  const Party& peer = state.party(other(seen.sender()));
  if (!peer.announced(Extra::connid_header) || !party.uses_connid) return std::nullopt;
  const bool is_request = seen.layout.is_request();
  if (!is_request && seen.type() != PacketType::ctsdata && !is_multiuse(seen.layout)) return std::nullopt;
  if (seen.packet.short_header) return std::nullopt;
  // A REQ has a raw address until the HANDSHAKE has come, and connid from then on: it is never without both.
  if (!state.partial().empty() || peer.handshakes > 1) return std::nullopt;
  if (!is_request && !state.knows_handshake(seen.sender(), seen.message)) return std::nullopt;
  return peer.handshake->index;
}

}  // namespace

std::optional<std::uint32_t> said_connid(const Packet& packet) {
  if (!packet.has(flag::kRawAddress | flag::kConnid)) return std::nullopt;
  if (!packet.has(flag::kRawAddress) || packet.raw_address.empty()) return connid_of(packet);
  const auto address = decode_raw_address(packet.raw_address);
  return address ? std::optional(address->connid) : std::nullopt;
}

ConnidFact follow_connid(const SeenPacket& seen, TraceState& state) {
  ConnidFact fact;
  const auto& known = state.party(seen.sender()).connid;
  if (seen.packet.has(flag::kConnid))
    follow_value(fact, seen, state);
  else if (known && *known != 0 && !seen.packet.has(flag::kRawAddress))
    fact.unannounced = follow_unannounced(seen, *known);
  if (fact.is_payload_found()) fact.asked_by = asked_by(seen, state);
  return fact;
}

// ------------------------------------------------------------------------------------------- ahead of the newcomer

bool is_ahead_of_newcomer(const SeenPacket& seen, const TraceState& state) {
  const Packet& packet = seen.packet;
  const Party& sender = state.party(seen.sender());
  if (!packet.has(flag::kConnid) || packet.has(flag::kRawAddress)) return false;
  if (!sender.connid || packet.connid == *sender.connid) return false;
  if (seen.type() == PacketType::handshake || state.is_met_as_new(seen.sender())) return false;
  return !state.from_start() || !seen.layout.is_request() || sender.is_ahead_with(packet.connid);
}

void note_ahead_of_newcomer(const SeenPacket& seen, TraceState& state) {
  Party& sender = state.party(seen.sender());
  if (sender.ahead_of_newcomer.size() < Party::kMostAhead)
    sender.ahead_of_newcomer.push_back({seen.mark(), seen.at(Field::connid), seen.packet.connid});
  // The other side may use its grant, or may ignore it.
  if (seen.type() == PacketType::cts) sender.note_stray_grant(seen.packet.recv_id);
  state.exchanges().each_recent([](Exchange& one) {
    if (!one.is_done()) one.contradict();
  });
}

bool disproves_newcomer(const SeenPacket& seen, const TraceState& state) {
  const Party& sender = state.party(seen.sender());
  return !sender.ahead_of_newcomer.empty() && seen.packet.has(flag::kConnid) && seen.packet.connid == sender.connid &&
         TraceState::is_past_transit(sender.ahead_of_newcomer.back().mark.time_ns, seen.message.time_ns);
}

std::vector<StrayConnidFact> take_ahead_of_newcomer(Side side, bool is_disproved, TraceState& state) {
  Party& sender = state.party(side);
  std::vector<StrayConnidFact> facts;
  for (const auto& [mark, where, connid] : std::exchange(sender.ahead_of_newcomer, {}))
    facts.push_back({.mark = mark,
                     .where = where,
                     .connid = connid,
                     .before = *sender.connid,
                     .by_address = sender.raw_address.has_value(),
                     .is_proven = is_disproved || (state.from_start() && state.is_stale(mark)),
                     .was_long_known = was_long_known(side, *sender.connid, mark.time_ns, state)});
  if (!facts.empty()) state.note_several_connids(side);
  return facts;
}

}  // namespace wirelaw::efa
