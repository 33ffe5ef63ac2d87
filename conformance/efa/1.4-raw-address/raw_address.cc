// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 1.4: the raw address of an endpoint.
#include "conformance/efa/1.4-raw-address/raw_address.h"

#include <utility>

#include "conformance/efa/1.4-raw-address/rules.h"
#include "conformance/efa/4.4-connid/connid.h"
#include "conformance/efa/4.4-connid/rules.h"
#include "conformance/efa/contradictions.h"
#include "conformance/efa/due.h"
#include "conformance/efa/packet_checks.h"
#include "reference/octets/hex.h"

namespace wirelaw::efa {

namespace {

// The position in the packet of a field of table 1.5.
OctetRange in_address(const SeenPacket& seen, std::size_t offset, std::size_t length) {
  return octets(seen.at(Field::raw_address_size).offset + 4 + offset, length);
}
constexpr std::size_t kGid = 0, kQpn = 16, kConnid = 20;

std::string gid_text(const std::array<Octet, 16>& gid) {
  return to_hex(gid);
}

// UDP has neither GIDs nor queue pairs. Only a ruling says what they are there (EFA/A-63), so it is a warning.
bool is_udp(const SeenPacket& seen, const TraceState& state) {
  return state.may_double() || seen.message.ip_version != 0;
}

void judge_place(Judge& judge, const SeenPacket& seen, const RawAddress& address, const wirelaw::Endpoint& sender,
                 bool is_udp) {
  const auto judge_field = [&](const Rule& rule, bool holds, OctetRange where, auto&&... evidence) {
    return is_udp ? judge.advise(rule, holds, where, evidence...) : judge.require(rule, holds, where, evidence...);
  };
  const std::array<Octet, 16> gid = sender.address.as_ipv6();
  const auto qpn = static_cast<std::uint16_t>(sender.port);  // truncated to the 16 bits of a raw address
  judge_field(rule<"EFA-1.4-2">, address.gid == gid, in_address(seen, kGid, 16),
              expected([&] { return gid_text(gid); }), actual([&] { return gid_text(address.gid); }),
              "not the address that the packet came from");
  judge_field(rule<"EFA-1.4-3">, address.qpn == qpn, in_address(seen, kQpn, 2), expected(qpn), actual(address.qpn),
              is_udp ? "not the UDP port that the packet came from" : "not the queue pair that the packet came from");
}

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
Change change_of(const SeenPacket& seen, const TraceState& state) {
  const Party& self = state.party(seen.sender());
  const Party& peer = state.party(other(seen.sender()));
  if (!seen.layout.ordered()) return peer.handshake ? Change::another_endpoint : Change::same_endpoint;
  const MessageIds& ids = self.message_ids;
  const std::uint32_t id = seen.packet.msg_id;
  if (id == 0 && (ids.any() ? ids.newest() + 1 != 0 : !state.from_start())) return Change::another_endpoint;
  const bool is_segment = seen.layout.transfer == Transfer::medium || seen.layout.transfer == Transfer::runting_read;
  if (ids.has(id) && !is_segment) return Change::another_endpoint;
  const bool had_handshake = peer.handshake && !peer.announced(Extra::constant_header_length) &&
                             TraceState::is_past_transit(peer.handshake->time_ns, seen.message.time_ns);
  // Packets with the new connid may have arrived before this one. If the flow was not seen from its start, the
  // HANDSHAKE may have been missed.
  const auto connid = said_connid(seen.packet);
  const bool has_ahead = connid && self.is_ahead_with(*connid);
  return had_handshake || has_ahead || !state.from_start() ? Change::open : Change::same_endpoint;
}

std::string text_of(const RawAddress& address) {
  return fmt::format("{} {} 0x{:08x}", gid_text(address.gid), address.qpn, address.connid);
}

// Assumes that the sender of a raw address is another endpoint, until the end of the flow shows if it started like one.
void begin_anew_by_address(Judge& judge, const SeenPacket& seen, const RawAddress& address, std::uint32_t former,
                           TraceState& state) {
  const auto before = state.party(seen.sender()).raw_address;
  begin_anew_for_now(judge, seen, in_address(seen, kConnid, 4), former, address.connid, state);
  state.replacement()->former_address = before ? text_of(*before) : std::string();
  state.replacement()->address = text_of(address);
}

// Evidence of another endpoint after the packet that left it open: it begins its messages with 0 (3.2).
void note_first_message(const SeenPacket& seen, const RawAddress& address, TraceState& state) {
  const auto& open = state.replacement();
  if (open && open->side == seen.sender() && !open->former_address.empty() && open->connid == address.connid &&
      seen.layout.ordered() && seen.packet.msg_id == 0)
    state.replacement().reset();
}

}  // namespace

bool judge_raw_address(Judge& judge, const SeenPacket& seen, TraceState& state) {
  if (!seen.packet.has(flag::kRawAddress)) return true;
  const auto address = decode_raw_address(seen.packet.raw_address);
  if (!require(judge, rule<"EFA-1.4-1">, address.has_value(), seen, Field::raw_address_size, expected("at least 32"),
               actual(seen.packet.raw_address_size), "the raw address is not whole"))
    return false;
  const std::optional<std::uint32_t> known = state.party(seen.sender()).connid;
  const Change change = known && *known != address->connid ? change_of(seen, state) : Change::same_endpoint;
  if (change == Change::another_endpoint) state.begin_anew(seen.sender(), *known);
  if (change == Change::open) begin_anew_by_address(judge, seen, *address, *known, state);
  note_first_message(seen, *address, state);

  Party& party = state.party(seen.sender());
  const auto network = state.address(seen.sender());
  const bool is_of_udp = is_udp(seen, state);
  if (network) judge_place(judge, seen, *address, *network, is_of_udp);
  if (party.raw_address) {
    const RawAddress& before = *party.raw_address;
    const bool same_place = (network && !is_of_udp) || (before.gid == address->gid && before.qpn == address->qpn);
    judge.require(rule<"EFA-1.4-4">, same_place && before.connid == address->connid,
                  same_place ? in_address(seen, kConnid, 4) : in_address(seen, kGid, 18),
                  expected([&] { return text_of(before); }), actual([&] { return text_of(*address); }),
                  "gid, qpn and connid of an endpoint do not change, and nothing shows that another one took its place",
                  same_place ? Evidence::absence : Evidence::octets);
    if (before.connid != address->connid) state.note_several_connids(seen.sender());
    return true;
  }
  party.raw_address = address;
  judge_connid_of_address(judge, seen, state);
  return true;
}

bool is_of_replaced(const SeenPacket& seen, const TraceState& state) {
  const auto& former = state.party(seen.sender()).former_connid;
  return former && said_connid(seen.packet) == former;
}

void begin_anew_for_now(Judge& judge, const SeenPacket& seen, OctetRange where, std::uint32_t former,
                        std::uint32_t connid, TraceState& state) {
  const bool had_greeted = state.party(seen.sender()).handshake.has_value();
  finish_replacement(judge, state);
  judge.at(seen.message);
  state.begin_anew(seen.sender(), former);
  state.replacement() = TraceState::Replacement{.side = seen.sender(),
                                                .former = former,
                                                .connid = connid,
                                                .mark = seen.mark(),
                                                .where = where,
                                                .former_address = {},
                                                .address = {},
                                                .had_greeted = had_greeted};
}

void note_replaced(Judge& judge, const SeenPacket& seen, TraceState& state) {
  state.note_partial("packets come of an endpoint that another has replaced");
  auto& open = state.replacement();
  if (!open || open->side != seen.sender()) return;
  if (TraceState::is_past_transit(open->mark.time_ns, seen.message.time_ns)) open->has_former_returned = true;
  if (open->has_former_returned) finish_replacement(judge, state);
}

void finish_replacement(Judge& judge, TraceState& state) {
  const auto open = std::exchange(state.replacement(), std::nullopt);
  if (!open) return;
  const Side peer = other(open->side);
  const bool due = open->has_former_returned || state.owes_answer(peer, open->mark) ||
                   (!open->former_address.empty() && state.owes_data(open->side, open->mark));
  judge.at(marked(open->mark, open->side));
  if (open->former_address.empty())
    judge_due(judge, due, rule<"EFA-4.4-2">, false, open->where, expected(hex(open->former)), actual(hex(open->connid)),
              "the headers before had another connid, and no HANDSHAKE greets another one");
  else
    judge_due(judge, due, rule<"EFA-1.4-4">, false, open->where, expected(open->former_address), actual(open->address),
              "no message 0 and no HANDSHAKE after it: it is the same endpoint, whose address has changed");
}

}  // namespace wirelaw::efa
