// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.2: when REQ packets have the raw address header.
#include "conformance/efa/2.2-raw-address-header/raw_address_header.h"

#include "conformance/efa/2.2-raw-address-header/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

std::string reason_of(const AddressHeaderFact& fact) {
  if (!fact.order)
    return fmt::format("the peer's HANDSHAKE was message {}, and it has no constant_header_length", fact.handshake + 1);
  return fmt::format("msg_id {}, which was sent before msg_id {}, has none", fact.order->without, fact.order->with);
}

}  // namespace

void check_address_header(Judge& judge, const SeenPacket& seen, const AddressHeaderFact& fact) {
  if (fact.order) {
    check_address_again(judge, fact);
    judge.at(seen.message);
    return;
  }
  if (fact.may_be_copy)
    advise(judge, rule<"EFA-2.2-2">, false, seen, Field::raw_address_size, expected("no raw address header"),
           actual("one"), "the packet has been sent twice, or UDP has doubled it");
  else
    require(judge, rule<"EFA-2.2-2">, !fact.is_there, seen, Field::raw_address_size, expected("no raw address header"),
            actual("one"), [&] { return reason_of(fact); });
}

void check_address_again(Judge& judge, const AddressHeaderFact& fact) {
  judge.at(marked(fact.mark, fact.sender));
  judge.require(rule<"EFA-2.2-2">, !fact.is_there, {0, fact.mark.octets}, expected("no raw address header"),
                actual("one"), [&] { return reason_of(fact); });
}

void check_first_requests(Judge& judge, Side side, const FirstRequestsFact& fact) {
  judge.at(marked(fact.mark, side));
  const bool hold = fact.bare == nullptr;
  const auto want = expected("REQ_OPT_RAW_ADDR_HDR, and a raw address");
  const auto why = [&] {
    return fmt::format("{} before {}", fact.bare->name,
                       fact.has_handshake ? "the peer's HANDSHAKE, of which an earlier one may not have been captured"
                                          : "any HANDSHAKE of the peer that was seen");
  };
  if (fact.has_handshake)
    judge.require(rule<"EFA-2.2-1">, hold, octets(2, 2), want, actual("none"), why);
  else
    judge.advise(rule<"EFA-2.2-1">, hold, octets(2, 2), want, actual("none"), why);
}

}  // namespace wirelaw::efa
