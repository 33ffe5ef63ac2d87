// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.4: the connection ID in packet headers.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

namespace {

constexpr Section kSection{"EFA RDM v4 4.4"};
constexpr Section kTable1_5{"EFA RDM v4 4.4, table 1.5"};
constexpr Section kConnidOfExchange{"EFA RDM v4 4.4, 3.2"};
constexpr Section kConnidOfReq{"EFA RDM v4 4.4, 2.1, 3.1", kRequester};
constexpr Section kConnidOfCtsdata{"EFA RDM v4 4.4, 2.1, table 3.7"};
constexpr Section kConnidOfCts{"EFA RDM v4 4.4, 2.1, table 3.6"};
constexpr Section kTable3_7{"EFA RDM v4 3.2, table 3.7"};

}  // namespace

constinit const Rule kConnidStays =
    kSection.resting_on(Evidence::absence)
        .must("EFA-4.4-1", "Every connid in the headers of an endpoint's packets is the same.", "EFA/A-42, EFA/A-64");
constinit const Rule kConnidOfAddress =
    kTable1_5.resting_on(Evidence::absence)
        .must("EFA-4.4-2", "The connid in an endpoint's headers is that of its raw address.", "EFA/A-42");
constinit const Rule kConnidAnnounced =
    kConnidOfExchange.must("EFA-4.4-3", "CONNID_HDR is set in a packet that has its sender's connid.", "EFA/A-65");
constinit const Rule kConnidInRequests =
    kConnidOfReq.resting_on(Evidence::absence)
        .should("EFA-4.4-4", "REQ packets to a peer that asks for connid have it, or a raw address, which has it.",
                "EFA/A-11, EFA/A-39, EFA/A-40");
constinit const Rule kConnidInData =
    kConnidOfCtsdata.resting_on(Evidence::absence)
        .should("EFA-4.4-5", "CTSDATA packets to a peer that asks for connid have it.", "EFA/A-39, EFA/A-40");
constinit const Rule kConnidInAnswers =
    kConnidOfCts.resting_on(Evidence::absence)
        .should("EFA-4.4-6",
                "CTS, READRSP, EOR, ATOMRSP, RECEIPT and READ_NACK packets to a peer that asks for connid have it.",
                "EFA/A-39, EFA/A-40");
constinit const Rule kConnidWhole =
    kTable3_7.must("EFA-4.4-7", "The connid of a CTSDATA packet has its padding: eight octets in all.", "EFA/A-51");

constexpr Breach kBreaches[] = {
    {Deviation::handshake_connid_wrong, kConnidStays, {.who = kResponder}},
    {Deviation::handshake_blocks_swapped, kConnidStays, {.who = kResponder}},
    {Deviation::handshake_connid_wrong, kConnidOfAddress},
    {Deviation::raw_address_wrong_connid, kConnidOfAddress},
    {Deviation::connid_wrong, kConnidOfAddress},
    {Deviation::handshake_space_reserved, kConnidAnnounced},
    {Deviation::connid_unannounced, kConnidAnnounced},
    {Deviation::connid_unannounced, kConnidAnnounced, {.who = kRequester, .severity = Severity::warning}},
    {Deviation::connid_not_sent, kConnidInRequests},
    {Deviation::connid_not_sent, kConnidInRequests, {.who = kResponder}},
    {Deviation::connid_not_sent, kConnidInData},
};

SectionRules s4_4_rules() {
  static constexpr const Rule* kRules[] = {&kConnidStays,  &kConnidOfAddress, &kConnidAnnounced, &kConnidInRequests,
                                           &kConnidInData, &kConnidInAnswers, &kConnidWhole};
  return {kRules, kBreaches};
}

namespace {

bool is_multiuse(const Layout& layout) {
  const FieldRow* const row = layout.find(Field::connid);
  return row != nullptr && row->multiuse;
}

// --------------------------------------------------------------------------------------------------------- values

// A HANDSHAKE with the connid of the one that it goes to, where nothing shows yet what its sender's own is.
bool is_the_peers(Judge& judge, const SeenPacket& seen, const TraceState& state) {
  const auto known = state.party(other(seen.sender())).connid;
  if (seen.type() != PacketType::handshake || state.party(seen.sender()).connid || !known) return false;
  return !advise(judge, kConnidOfAddress, seen.packet.connid != *known, seen, Field::connid,
                 expected("the connid of its sender"), actual(hex(seen.packet.connid)),
                 "the peer has said that this is its own: connids are random, and hardly ever the same");
}

void judge_value(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const std::uint32_t connid = seen.packet.connid;
  // Another HANDSHAKE with another connid: another endpoint in the place of the one before (EFA/A-64). Of one that is
  // not as it should be that is not known.
  const bool is_whole = seen.type() == PacketType::handshake && seen.packet.payload.empty();
  if (is_whole && party.handshake && party.connid && connid != *party.connid)
    state.begin_anew(seen.sender(), *party.connid);
  const auto got = actual(hex(connid));
  if (is_the_peers(judge, seen, state)) return;
  bool holds = true;
  if (party.raw_address)
    holds = require(judge, kConnidOfAddress, connid == party.raw_address->connid, seen, Field::connid,
                    expected(hex(party.raw_address->connid)), got, "the connid of the raw address is another one",
                    seen.packet.has(flag::kRawAddress) ? Evidence::octets : Evidence::absence);
  else if (party.connid)
    holds = require(judge, kConnidStays, connid == *party.connid, seen, Field::connid, expected(hex(*party.connid)),
                    got, "an earlier packet has another one");
  if (!holds) state.note_several_connids(seen.sender());
  if (!party.connid) party.connid = connid;
  party.uses_connid = true;
}

// Where a packet with CONNID_HDR clear has the sender's connid all the same; a part of no octets where it does not.
OctetRange unannounced(const SeenPacket& seen, const Party& party) {
  constexpr std::size_t kConnidOctets = 4, kPadded = 8;
  const bool in_data = seen.type() == PacketType::ctsdata;
  if (!in_data && !seen.layout.is_request()) return {};
  if (in_data && seen.payload_octets() != seen.packet.seg_length + kPadded) return {};
  const std::size_t at = seen.headers - seen.packet.read_iov.size();  // behind the optional headers
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
    advise(judge, kConnidAnnounced, !there, seen, Field::connid, want, got,
           "the word holds the sender's connid, and is padding without the flag");
    return true;
  }
  const OctetRange where = unannounced(seen, party);
  return judge.require(kConnidAnnounced, where.length == 0, where, want, got,
                       "the sender's connid is behind the headers, as if the flag were set");
}

// ------------------------------------------------------------------------------------------------------- presence

const Rule* wants_connid(const SeenPacket& seen) {
  if (seen.layout.is_request()) return &kConnidInRequests;
  if (seen.type() == PacketType::ctsdata) return &kConnidInData;
  return is_multiuse(seen.layout) ? &kConnidInAnswers : nullptr;
}

// Only of an endpoint that can do it: the request of one that cannot may be ignored (2.1).
void judge_presence(Judge& judge, const SeenPacket& seen, const TraceState& state) {
  const Party& party = state.party(seen.sender());
  const Party& peer = state.party(other(seen.sender()));
  if (!peer.announced(Extra::connid_header) || !party.uses_connid) return;
  const Rule* const rule = wants_connid(seen);
  if (rule == nullptr || seen.packet.short_header) return;
  const bool there = seen.packet.has(flag::kConnid) || seen.packet.has(flag::kRawAddress);
  // A REQ has a raw address until the HANDSHAKE has come, and connid from then on: it is never without both.
  if (!state.partial().empty() || peer.handshakes > 1) return;
  if (!seen.layout.is_request() && !state.knows_handshake(seen.sender(), seen.message)) return;
  require(judge, *rule, there, seen, Field::flags, expected("CONNID_HDR"), actual(hex(seen.packet.flags)),
          [&] { return fmt::format("the peer asks for it in its HANDSHAKE, message {}", peer.handshake->index + 1); });
}

}  // namespace

void judge_connid_of_address(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const std::uint32_t connid = party.raw_address->connid;
  if (!party.connid)
    party.connid = connid;
  else if (!judge.require(kConnidOfAddress, connid == *party.connid, seen.at(Field::raw_address_size),
                          expected(hex(*party.connid)), actual(hex(connid)), "the headers before had another connid"))
    state.note_several_connids(seen.sender());
}

bool judge_connid(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  bool whole = true;
  if (seen.packet.has(flag::kConnid)) {
    judge_value(judge, seen, state);
    if (seen.type() == PacketType::ctsdata) judge.require(kConnidWhole, true, {}, expected(""), actual(""));
  } else if (party.connid && *party.connid != 0 && !seen.packet.has(flag::kRawAddress)) {
    whole = judge_announcement(judge, seen, party);
  }
  if (whole) judge_presence(judge, seen, state);
  return whole;
}

void judge_connid_unannounced(Judge& judge, const SeenPacket& seen, OctetRange where) {
  judge.require(kConnidAnnounced, false, where, expected("CONNID_HDR"), actual(hex(seen.packet.flags)),
                "the sender's connid is where the flag puts it");
}

void judge_connid_whole(Judge& judge, const DecodeError& error) {
  judge.require(kConnidWhole, false, octets(error.offset, error.there),
                expected([&] { return fmt::format("{} octets of {}", error.needed, error.part); }), actual(error.there),
                "the packet ends before");
}

}  // namespace wirelaw::efa
