// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 1.4: the raw address of an endpoint.
#include "conformance/efa/1.4-raw-address/raw_address.h"

#include "conformance/efa/1.4-raw-address/rules.h"
#include "conformance/efa/4.4-connid/connid.h"
#include "conformance/efa/4.4-connid/rules.h"
#include "conformance/efa/packet_checks.h"
#include "reference/octets/hex.h"

namespace wirelaw::efa {

namespace {

// The position in the packet of a field of table 1.5.
OctetRange in_address(const SeenPacket& seen, std::size_t offset, std::size_t length) {
  return octets(seen.at(Field::raw_address_size).offset + 4 + offset, length);
}
constexpr std::size_t kGid = 0, kQpn = 16, kConnid = 20;

std::string text_of(const RawAddress& address) {
  return fmt::format("{} {} 0x{:08x}", to_hex(address.gid), address.qpn, address.connid);
}

// UDP has neither GIDs nor queue pairs. Only a ruling says what they are there (EFA/A-63), so it is a warning.
void check_place(Judge& judge, const SeenPacket& seen, const RawAddress& address, const wirelaw::Endpoint& sender,
                 bool is_udp) {
  const std::array<Octet, 16> gid = sender.address.as_ipv6();
  const auto qpn = static_cast<std::uint16_t>(sender.port);  // truncated to the 16 bits of a raw address
  judge_due(judge, !is_udp, rule<"EFA-1.4-2">, address.gid == gid, in_address(seen, kGid, 16),
            expected([&] { return to_hex(gid); }), actual([&] { return to_hex(address.gid); }),
            "not the address that the packet came from");
  judge_due(judge, !is_udp, rule<"EFA-1.4-3">, address.qpn == qpn, in_address(seen, kQpn, 2), expected(qpn),
            actual(address.qpn),
            is_udp ? "not the UDP port that the packet came from" : "not the queue pair that the packet came from");
}

void check_same(Judge& judge, const SeenPacket& seen, const RawAddressFact& fact) {
  const RawAddress& before = *fact.before;
  const RawAddress& address = *fact.address;
  const bool same_place = (fact.network && !fact.is_udp) || (before.gid == address.gid && before.qpn == address.qpn);
  judge.require(rule<"EFA-1.4-4">, same_place && before.connid == address.connid,
                same_place ? in_address(seen, kConnid, 4) : in_address(seen, kGid, 18),
                expected([&] { return text_of(before); }), actual([&] { return text_of(address); }),
                "gid, qpn and connid of an endpoint do not change, and nothing shows that another one took its place",
                same_place ? Evidence::absence : Evidence::octets);
}

}  // namespace

void check_raw_address(Judge& judge, const SeenPacket& seen, const RawAddressFact& fact) {
  if (!require(judge, rule<"EFA-1.4-1">, fact.address.has_value(), seen, Field::raw_address_size,
               expected("at least 32"), actual(seen.packet.raw_address_size), "the raw address is not whole"))
    return;
  if (fact.unproven) {
    check_replacement(judge, *fact.unproven);
    judge.at(seen.message);
  }
  if (fact.network) check_place(judge, seen, *fact.address, *fact.network, fact.is_udp);
  if (fact.before) check_same(judge, seen, fact);
  if (fact.connid_before) check_connid_of_address(judge, seen, fact.address->connid, *fact.connid_before);
}

void check_replacement(Judge& judge, const ReplacementFact& fact) {
  judge.at(marked(fact.mark, fact.side));
  if (!fact.former_address)
    judge_due(judge, fact.is_due, rule<"EFA-4.4-2">, false, fact.where, expected(hex(fact.former)),
              actual(hex(fact.connid)), "the headers before had another connid, and no HANDSHAKE greets another one");
  else
    judge_due(judge, fact.is_due, rule<"EFA-1.4-4">, false, fact.where,
              expected([&] { return text_of(*fact.former_address); }), actual([&] { return text_of(*fact.address); }),
              "no message 0 and no HANDSHAKE after it: it is the same endpoint, whose address has changed");
}

}  // namespace wirelaw::efa
