// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.4: the connection ID in packet headers.
#include "conformance/efa/4.4-connid/connid.h"

#include "conformance/efa/1.4-raw-address/raw_address.h"
#include "conformance/efa/4.4-connid/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

bool is_multiuse(const Layout& layout) {
  const FieldRow* const row = layout.find(Field::connid);
  return row != nullptr && row->multiuse;
}

// --------------------------------------------------------------------------------------------------------- values

// True for a HANDSHAKE with the connid of its receiver, if nothing has shown its sender's own connid.
bool is_the_peers(Judge& judge, const SeenPacket& seen, const TraceState& state) {
  const auto known = state.party(other(seen.sender())).connid;
  if (seen.type() != PacketType::handshake || state.party(seen.sender()).connid || !known) return false;
  return !advise(judge, rule<"EFA-4.4-2">, seen.packet.connid != *known, seen, Field::connid,
                 expected("the connid of its sender"), actual(hex(seen.packet.connid)),
                 "the peer has said that this is its own: connids are random, and hardly ever the same");
}

bool is_whole_handshake(const SeenPacket& seen) {
  return seen.type() == PacketType::handshake && seen.packet.payload.empty();
}

// True for the first HANDSHAKE of a side that has been silent for long: another endpoint may have replaced it before it
// sent its own.
bool may_greet_as_another(const SeenPacket& seen, const Party& party) {
  return is_whole_handshake(seen) && party.packets > 0 &&
         TraceState::is_past_transit(party.latest.time_ns, seen.message.time_ns);
}

// A HANDSHAKE with another connid shows another endpoint in the place of the one before (EFA/A-64) if that one has sent
// its own, or if answers with the same connid have overtaken this one. This is unknown if the HANDSHAKE is faulty.
bool greets_as_another(const SeenPacket& seen, const TraceState& state) {
  if (!is_whole_handshake(seen)) return false;
  const Party& party = state.party(seen.sender());
  return party.handshake || party.is_ahead_with(seen.packet.connid);
}

void judge_value(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const std::uint32_t connid = seen.packet.connid;
  const bool has_another = party.connid && connid != *party.connid;
  if (has_another && (greets_as_another(seen, state) || state.is_met_as_new(seen.sender())))
    state.begin_anew(seen.sender(), *party.connid);
  else if (has_another && may_greet_as_another(seen, party))
    begin_anew_for_now(judge, seen, seen.at(Field::connid), *party.connid, connid, state);
  const auto got = actual(hex(connid));
  if (is_the_peers(judge, seen, state)) return;
  bool holds = true;
  if (party.raw_address)
    holds = require(judge, rule<"EFA-4.4-2">, connid == party.raw_address->connid, seen, Field::connid,
                    expected(hex(party.raw_address->connid)), got, "the connid of the raw address is another one",
                    seen.packet.has(flag::kRawAddress) ? Evidence::octets : Evidence::absence);
  else if (party.connid)
    holds = require(judge, rule<"EFA-4.4-1">, connid == *party.connid, seen, Field::connid,
                    expected(hex(*party.connid)), got, "an earlier packet has another one");
  if (!holds) state.note_several_connids(seen.sender());
  if (!party.connid) party.connid = connid;
  party.uses_connid = true;
}

// The place of the sender's connid in a packet with CONNID_HDR clear; an empty range if it has none.
OctetRange unannounced(const SeenPacket& seen, const Party& party) {
  constexpr std::size_t kConnidOctets = 4, kPadded = 8;
  const bool in_data = seen.type() == PacketType::ctsdata;
  if (!in_data && !seen.layout.is_request()) return {};
  if (in_data && seen.payload_octets() != seen.packet.seg_length + kPadded) return {};
  const std::size_t at = seen.headers - seen.packet.read_iov.size();  // offset after the optional headers
  const Octets octets = seen.message.octets;
  if (octets.size() < at + kConnidOctets) return {};
  return load_little_endian<std::uint32_t>(octets.data() + at) == *party.connid ? OctetRange{at, kConnidOctets}
                                                                                : OctetRange{};
}

bool judge_announcement(Judge& judge, const SeenPacket& seen, const Party& party) {
  const auto want = expected("CONNID_HDR");
  const auto got = actual(hex(seen.packet.flags));
  // A word that is padding may hold anything.
  if (is_multiuse(seen.layout)) {
    const bool there = seen.packet.connid == *party.connid && !seen.packet.short_header;
    advise(judge, rule<"EFA-4.4-3">, !there, seen, Field::connid, want, got,
           "the word holds the sender's connid, and is padding without the flag");
    return true;
  }
  const OctetRange where = unannounced(seen, party);
  return judge.require(rule<"EFA-4.4-3">, where.length == 0, where, want, got,
                       "the sender's connid is after the headers, as if the flag were set");
}

// ------------------------------------------------------------------------------------------------------- presence

const Rule* wants_connid(const SeenPacket& seen) {
  if (seen.layout.is_request()) return &rule<"EFA-4.4-4">;
  if (seen.type() == PacketType::ctsdata) return &rule<"EFA-4.4-5">;
  return is_multiuse(seen.layout) ? &rule<"EFA-4.4-6"> : nullptr;
}

// Only of an endpoint that can do it: the request of one that cannot may be ignored (2.1).
void judge_presence(Judge& judge, const SeenPacket& seen, const TraceState& state) {
  const Party& party = state.party(seen.sender());
  const Party& peer = state.party(other(seen.sender()));
  if (!peer.announced(Extra::connid_header) || !party.uses_connid) return;
  const Rule* const demand = wants_connid(seen);
  if (demand == nullptr || seen.packet.short_header) return;
  const bool there = seen.packet.has(flag::kConnid) || seen.packet.has(flag::kRawAddress);
  // A REQ has a raw address until the HANDSHAKE has come, and connid from then on: it is never without both.
  if (!state.partial().empty() || peer.handshakes > 1) return;
  if (!seen.layout.is_request() && !state.knows_handshake(seen.sender(), seen.message)) return;
  require(judge, *demand, there, seen, Field::flags, expected("CONNID_HDR"), actual(hex(seen.packet.flags)),
          [&] { return fmt::format("the peer asks for it in its HANDSHAKE, message {}", peer.handshake->index + 1); });
}

}  // namespace

void judge_connid_of_address(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const std::uint32_t connid = party.raw_address->connid;
  if (!party.connid)
    party.connid = connid;
  else if (!judge.require(rule<"EFA-4.4-2">, connid == *party.connid, seen.at(Field::raw_address_size),
                          expected(hex(*party.connid)), actual(hex(connid)), "the headers before had another connid"))
    state.note_several_connids(seen.sender());
}

bool judge_connid(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  bool whole = true;
  if (seen.packet.has(flag::kConnid)) {
    judge_value(judge, seen, state);
    if (seen.type() == PacketType::ctsdata) judge.require(rule<"EFA-4.4-7">, true, {}, expected(""), actual(""));
  } else if (party.connid && *party.connid != 0 && !seen.packet.has(flag::kRawAddress)) {
    whole = judge_announcement(judge, seen, party);
  }
  if (whole) judge_presence(judge, seen, state);
  return whole;
}

void judge_connid_unannounced(Judge& judge, const SeenPacket& seen, OctetRange where) {
  judge.require(rule<"EFA-4.4-3">, false, where, expected("CONNID_HDR"), actual(hex(seen.packet.flags)),
                "the sender's connid is where the flag puts it");
}

void judge_connid_whole(Judge& judge, const DecodeError& error) {
  judge.require(rule<"EFA-4.4-7">, false, octets(error.offset, error.there),
                expected([&] { return fmt::format("{} octets of {}", error.needed, error.part); }), actual(error.there),
                "the packet ends before");
}

}  // namespace wirelaw::efa
