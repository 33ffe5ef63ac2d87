// SPDX-License-Identifier: Apache-2.0
// "PT_BAD_SESSION"
#include "conformance/ramcloud/badSession/bad_session.h"

#include "conformance/ramcloud/badSession/rules.h"
#include "conformance/ramcloud/fields.h"

namespace wirelaw::ramcloud {

void check_bad_session(Judge& judge, const PacketFacts& facts, const BadSessionFact& fact) {
  judge.require(rule<"RAMCLOUD-badSession-1">, facts.message.wire_length == layout::kHeader,
                field::payload(facts.packet), expected("no payload"),
                actual([&] { return fmt::format("{} octets", facts.message.wire_length - layout::kHeader); }),
                "BAD_SESSION carries nothing after its header");
  if (!judge.require(rule<"RAMCLOUD-badSession-2">, !fact.is_from_client, field::kFlags,
                     expected("no BAD_SESSION from a client"), actual("BAD_SESSION"),
                     "the sender has only been a client in this flow"))
    return;
  if (!fact.is_other_a_client) {
    judge.require(rule<"RAMCLOUD-badSession-3">, false, field::kFlags, expected("a packet of a client before it"),
                  actual("none"),
                  "the other side has only sent packets of a server; or those of a client were not captured");
    return;
  }
  if (!fact.is_hint_used) return;
  judge.require(rule<"RAMCLOUD-badSession-3">, *fact.is_hint_used, field::kClientSessionHint,
                expected("a hint that the client used"), actual(hex(facts.header().client_session_hint)),
                "no packet of the client carried this hint; or the one that did was not captured");
}

void check_served_after_refusal(Judge& judge, const ServedFact& fact) {
  judge.require(
      rule<"RAMCLOUD-badSession-7">, fact.is_from_before, field::kSessionToken,
      expected("nothing for a request after BAD_SESSION"), actual("an answer"),
      [&] {
        return fmt::format(
            "message {} called the session bad before the request came; or the request had come before, and was not "
            "captured",
            fact.refused_at + 1);
      },
      Evidence::absence);
}

}  // namespace wirelaw::ramcloud
