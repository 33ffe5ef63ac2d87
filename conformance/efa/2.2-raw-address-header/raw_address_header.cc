// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.2: when REQ packets have the raw address header.
#include "conformance/efa/2.2-raw-address-header/raw_address_header.h"

#include "conformance/efa/2.2-raw-address-header/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

std::string reason_of(const AddressHeaderFact& fact) {
  if (fact.may_be_copy) return "the packet has been sent twice, or UDP has doubled it";
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
  judge_due(judge, !fact.may_be_copy, rule<"EFA-2.2-2">, !fact.is_there,
            fact.is_there ? seen.at(Field::raw_address_size) : OctetRange{}, expected("no raw address header"),
            actual("one"), [&] { return reason_of(fact); });
}

void check_address_again(Judge& judge, const AddressHeaderFact& fact) {
  judge.at(marked(fact.mark, fact.sender));
  judge.require(rule<"EFA-2.2-2">, !fact.is_there, {0, fact.mark.octets}, expected("no raw address header"),
                actual("one"), [&] { return reason_of(fact); });
}

void check_first_requests(Judge& judge, Side side, const FirstRequestsFact& fact) {
  judge.at(marked(fact.mark, side));
  judge_due(judge, fact.has_handshake, rule<"EFA-2.2-1">, fact.bare == nullptr, octets(2, 2),
            expected("REQ_OPT_RAW_ADDR_HDR, and a raw address"), actual("none"), [&] {
              return fmt::format("{} before {}", fact.bare->name,
                                 fact.has_handshake
                                     ? "the peer's HANDSHAKE, of which an earlier one may not have been captured"
                                     : "any HANDSHAKE of the peer that was seen");
            });
}

}  // namespace wirelaw::efa
