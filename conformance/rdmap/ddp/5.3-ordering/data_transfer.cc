// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 5.3: the order of messages, and of the segments in them.
#include "conformance/rdmap/ddp/5.3-ordering/rules.h"
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {

void check_among(Judge& judge, const AmongFact& fact) {
  judge.advise(rule<"DDP-5.3-1">, !fact.open, field::kDdpControl, expected("the rest of the message that has begun"),
               actual("a segment of another message"), [&] {
                 return fmt::format("message {} of the flow began it, and its last segment has not come",
                                    *fact.open + 1);
               });
}

void check_order(Judge& judge, const MessageOrderFact& fact) {
  const OctetRange where = fact.tagged ? field::kTo : field::kMo;
  if (fact.order == MessageOrder::late)
    blame_stray(judge, rule<"DDP-5.3-2">, *fact.stray, where, "the octets between them came later");
  else
    judge.require(rule<"DDP-5.3-2">, true, where, expected(true), actual(true));
}

}  // namespace wirelaw::rdmap
