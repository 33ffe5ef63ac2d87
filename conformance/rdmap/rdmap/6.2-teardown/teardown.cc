// SPDX-License-Identifier: Apache-2.0
// RFC 5040, sections 6.2 and 6.2.1: the end of a stream. If a side is the first to close in order, leaves work
// unfinished and sends no Terminate, that is in effect an LLP Abortive Termination.
#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/rdmap/6.2-teardown/rules.h"

namespace wirelaw::rdmap {
void check_open_after_terminate(Judge& judge, const SilenceFact& fact) {
  judge.at(fact.since);
  judge.require(rule<"RDMAP-6.2.1-5">, false, {}, expected("FIN"), actual("nothing for 100 seconds"),
                "neither side has closed the connection; or its end was not captured");
}

void check_teardown(Judge& judge, const TeardownFact& fact) {
  if (fact.is_reset_alone)
    judge.require(rule<"RDMAP-6.2.1-5">, !*fact.is_reset_alone, {}, expected("FIN"), actual("RST"),
                  "a reset may overtake the Terminate or throw it away; or a FIN before it was not captured");
  if (fact.is_message_open)
    judge.require(rule<"RDMAP-6.2-1">, !*fact.is_message_open, {}, expected("the last segment of each message"),
                  actual("FIN in the middle of one"), "or what made it stop was not captured");
  if (fact.unanswered_reads)
    judge.advise(rule<"RDMAP-6.2-2">, *fact.unanswered_reads == 0, {}, expected("an answer to each Read Request"),
                 actual([&] { return fmt::format("FIN, and {} without", *fact.unanswered_reads); }),
                 "no Terminate says why");
}

}  // namespace wirelaw::rdmap
