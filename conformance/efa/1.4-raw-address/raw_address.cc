// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 1.4: the raw address of an endpoint.
#include "conformance/efa/1.4-raw-address/raw_address.h"

#include "conformance/efa/1.4-raw-address/rules.h"
#include "conformance/efa/4.4-connid/connid.h"
#include "reference/octets/hex.h"

namespace wirelaw::efa {

namespace {

// Where the fields of table 1.5 are in the packet.
OctetRange in_address(const SeenPacket& seen, std::size_t offset, std::size_t length) {
  return octets(seen.at(Field::raw_address_size).offset + 4 + offset, length);
}
constexpr std::size_t kGid = 0, kQpn = 16, kConnid = 20;

std::string gid_text(const std::array<Octet, 16>& gid) {
  return to_hex(gid);
}

void judge_place(Judge& judge, const SeenPacket& seen, const RawAddress& address, const wirelaw::Endpoint& sender) {
  const std::array<Octet, 16> gid = sender.address.as_ipv6();
  const auto qpn = static_cast<std::uint16_t>(sender.port);  // as much as a raw address has
  judge.require(rule<"EFA-1.4-2">, address.gid == gid, in_address(seen, kGid, 16),
                expected([&] { return gid_text(gid); }), actual([&] { return gid_text(address.gid); }),
                "not the address that the packet came from");
  judge.require(rule<"EFA-1.4-3">, address.qpn == qpn, in_address(seen, kQpn, 2), expected(qpn), actual(address.qpn),
                "not the queue pair that the packet came from");
}

// An endpoint that has come to the place of another one (4.4) begins as every endpoint does; before the other side's
// HANDSHAKE, or in the midst of a sequence of messages, it is the same endpoint with another address.
bool begins_anew(const SeenPacket& seen, const TraceState& state) {
  const MessageIds& ids = state.party(seen.sender()).message_ids;
  if (seen.layout.ordered())
    return seen.packet.msg_id == 0 && (ids.any() ? ids.newest() + 1 != 0 : !state.from_start());
  return state.party(other(seen.sender())).handshake.has_value();
}

}  // namespace

bool judge_raw_address(Judge& judge, const SeenPacket& seen, TraceState& state) {
  if (!seen.packet.has(flag::kRawAddress)) return true;
  const auto address = decode_raw_address(seen.packet.raw_address);
  if (!require(judge, rule<"EFA-1.4-1">, address.has_value(), seen, Field::raw_address_size, expected("at least 32"),
               actual(seen.packet.raw_address_size), "the raw address is not whole"))
    return false;
  const std::optional<std::uint32_t> known = state.party(seen.sender()).connid;
  if (known && *known != address->connid && begins_anew(seen, state)) state.begin_anew(seen.sender(), *known);

  Party& party = state.party(seen.sender());
  const auto network = state.address(seen.sender());
  if (network) judge_place(judge, seen, *address, *network);
  if (party.raw_address) {
    const RawAddress& before = *party.raw_address;
    const bool same_place = network || (before.gid == address->gid && before.qpn == address->qpn);
    judge.require(
        rule<"EFA-1.4-4">, same_place && before.connid == address->connid,
        same_place ? in_address(seen, kConnid, 4) : in_address(seen, kGid, 18),
        expected([&] { return fmt::format("{} {} 0x{:08x}", gid_text(before.gid), before.qpn, before.connid); }),
        actual([&] { return fmt::format("{} {} 0x{:08x}", gid_text(address->gid), address->qpn, address->connid); }),
        "gid, qpn and connid of an endpoint do not change, and nothing shows that another one took its place",
        same_place ? Evidence::absence : Evidence::octets);
    if (before.connid != address->connid) state.note_several_connids(seen.sender());
    return true;
  }
  party.raw_address = address;
  judge_connid_of_address(judge, seen, state);
  return true;
}

}  // namespace wirelaw::efa
