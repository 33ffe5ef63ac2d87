// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.4: the connection ID in packet headers.
#include "conformance/efa/4.4-connid/connid.h"

#include "conformance/efa/1.4-raw-address/raw_address.h"
#include "conformance/efa/4.4-connid/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

void check_value(Judge& judge, const SeenPacket& seen, const ConnidFact& fact) {
  const auto got = actual(hex(seen.packet.connid));
  if (fact.is_own)
    advise(judge, rule<"EFA-4.4-2">, *fact.is_own, seen, Field::connid, expected("the connid of its sender"), got,
           "the peer has said that this is its own: connids are random, and hardly ever the same");
  if (!fact.before) return;
  const bool holds = seen.packet.connid == *fact.before;
  const auto want = expected(hex(*fact.before));
  if (fact.by_address)
    require(judge, rule<"EFA-4.4-2">, holds, seen, Field::connid, want, got,
            "the connid of the raw address is another one",
            seen.packet.has(flag::kRawAddress) ? Evidence::octets : Evidence::absence);
  else
    require(judge, rule<"EFA-4.4-1">, holds, seen, Field::connid, want, got, "an earlier packet has another one");
}

void check_unannounced(Judge& judge, const SeenPacket& seen, const ConnidFact::Unannounced& fact) {
  const auto want = expected("CONNID_HDR");
  const auto got = actual(hex(seen.packet.flags));
  if (fact.in_padding)
    advise(judge, rule<"EFA-4.4-3">, !fact.is_there, seen, Field::connid, want, got,
           "the word holds the sender's connid, and is padding without the flag");
  else
    judge.require(rule<"EFA-4.4-3">, !fact.is_there, fact.where, want, got,
                  "the sender's connid is after the headers, as if the flag were set");
}

void check_presence(Judge& judge, const SeenPacket& seen, std::uint64_t asked_by) {
  const Rule& demand = seen.layout.is_request()             ? rule<"EFA-4.4-4">
                       : seen.type() == PacketType::ctsdata ? rule<"EFA-4.4-5">
                                                            : rule<"EFA-4.4-6">;
  require(judge, demand, seen.packet.has(flag::kConnid | flag::kRawAddress), seen, Field::flags, expected("CONNID_HDR"),
          actual(hex(seen.packet.flags)),
          [&] { return fmt::format("the peer asks for it in its HANDSHAKE, message {}", asked_by + 1); });
}

}  // namespace

void check_connid_of_address(Judge& judge, const SeenPacket& seen, std::uint32_t connid, std::uint32_t before) {
  judge.require(rule<"EFA-4.4-2">, connid == before, seen.at(Field::raw_address_size), expected(hex(before)),
                actual(hex(connid)), "the headers before had another connid");
}

void check_connid(Judge& judge, const SeenPacket& seen, const ConnidFact& fact) {
  if (fact.unproven) {
    check_replacement(judge, *fact.unproven);
    judge.at(seen.message);
  }
  check_value(judge, seen, fact);
  if (seen.type() == PacketType::ctsdata && seen.packet.has(flag::kConnid)) keeps(judge, rule<"EFA-4.4-7">);
  if (fact.unannounced) check_unannounced(judge, seen, *fact.unannounced);
  if (fact.asked_by) check_presence(judge, seen, *fact.asked_by);
}

void check_stray_connid(Judge& judge, Side side, const StrayConnidFact& fact) {
  // If the flow was not seen from its start, the connid that came first may be the wrong one, or the newcomer's.
  const Rule& broken = fact.by_address ? rule<"EFA-4.4-2"> : rule<"EFA-4.4-1">;
  judge.at(marked(fact.mark, side));
  if (!fact.is_proven) return judge.inconclusive(broken, "another endpoint may have taken the sender's place");
  judge.require(broken, false, fact.where, expected(hex(fact.before)), actual(hex(fact.connid)),
                fact.by_address ? "the connid of the raw address is another one, and no HANDSHAKE has this one"
                                : "earlier packets have another one, and no HANDSHAKE has this one");
}

void judge_connid_unannounced(Judge& judge, const SeenPacket& seen, OctetRange where) {
  judge.require(rule<"EFA-4.4-3">, false, where, expected("CONNID_HDR"), actual(hex(seen.packet.flags)),
                "the sender's connid is where the flag puts it");
}

}  // namespace wirelaw::efa
