// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.1: when the HANDSHAKE is sent. Its format is in handshake_format.cc.
#include "conformance/efa/2.1-handshake/handshake.h"

#include "conformance/efa/2.1-handshake/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

void check_handshake(Judge& judge, const Message& message, const HandshakeFact& fact) {
  const OctetRange all = octets(0, message.octets.size());
  keeps(judge, rule<"EFA-2.1-3">);
  if (!fact.first) return;
  keeps(judge, fact.is_asked_for ? rule<"EFA-2.1-1"> : rule<"EFA-2.1-2">);
  judge.advise(rule<"EFA-2.1-4">, !fact.is_late, all, expected("before other packets"),
               actual([&] { return fmt::format("after {} of them", fact.packets); }), [&] {
                 return fmt::format("{} ms after message {}, the peer's first",
                                    (message.time_ns - fact.first->time_ns) / 1'000'000, fact.first->index + 1);
               });
}

void advise_one_handshake(Judge& judge, std::span<const HandshakeAgainFact> handshakes) {
  for (const auto& one : handshakes) {
    judge.at(marked(one.mark, one.side));
    judge.advise(rule<"EFA-2.1-3">, false, octets(0, one.mark.octets), expected("one"), actual("another"), [&] {
      return fmt::format("the first was message {}, {}", one.first + 1,
                         one.is_the_same ? "with the same octets" : "and had other contents");
    });
  }
}

void check_missing_handshake(Judge& judge, Side side, const MissingHandshakeFact& fact) {
  const Rule& owed = fact.is_asked_for ? rule<"EFA-2.1-1"> : rule<"EFA-2.1-2">;
  judge.at(unanswered(fact.since, side));
  if (!fact.is_over) return judge.inconclusive(owed, "the flow ends soon after the packet that a HANDSHAKE answers");
  judge_due(judge, fact.is_due, owed, false, {}, expected("a HANDSHAKE"),
            actual(fact.is_due      ? "none, and other packets"
                   : fact.is_silent ? "nothing at all: it may not be there"
                                    : "none"),
            [&] { return fmt::format("the peer's first was message {}", fact.since.index + 1); });
}

}  // namespace wirelaw::efa
