// SPDX-License-Identifier: Apache-2.0
// RFC 5040, sections 6.2 and 6.2.1: how a stream ends. What a side leaves unfinished when it is the first to close in
// order, without a Terminate that would say why, is an LLP Abortive Termination in a graceful one's clothes.
#include <algorithm>

#include "conformance/rdmap/rdmap/6.2-teardown/rules.h"
#include "conformance/rdmap/rdmap/terminate_seen.h"

namespace wirelaw::rdmap {
namespace {

bool a_message_is_open(const Direction& from) {
  return from.tagged.open || std::ranges::any_of(from.queues, [](const Queue& queue) { return queue.message.open; });
}

// An orderly close with nothing before it that explains what is left undone.
bool first_to_close_in_order(const Connection& connection, const Direction& from) {
  const Direction& to = connection.of(other(from.side));
  return from.closed && !from.reset && !to.closed && !to.reset && !from.terminate_sent && !to.terminate_sent;
}

}  // namespace

void check_open_after_terminate(Judge& judge, const SilenceFact& fact) {
  judge.at(fact.since);
  judge.require(rule<"RDMAP-6.2.1-5">, false, {}, expected("FIN"), actual("nothing for 100 seconds"),
                "neither side has closed the connection; or its end was not captured");
}

void judge_teardown(Judge& judge, const Connection& connection, const Direction& from) {
  const Direction& to = connection.of(other(from.side));
  if ((from.terminate_sent || to.terminate_sent) && (from.closed || from.reset))
    judge.require(rule<"RDMAP-6.2.1-5">, from.closed || to.closed || to.reset, {}, expected("FIN"), actual("RST"),
                  "a reset may overtake the Terminate or throw it away; or a FIN before it was not captured");
  if (!first_to_close_in_order(connection, from) || !from.deframer || from.phase != Reading::full) return;
  judge.require(rule<"RDMAP-6.2-1">, !a_message_is_open(from), {}, expected("the last segment of each message"),
                actual("FIN in the middle of one"), "or what made it stop was not captured");
  // Octets that the capture lacks, or has cut off, may be the answer. A Read Request after a broken FPDU did not
  // arrive.
  if (to.reads_forgotten == 0 && !to.has_untrusted_fpdu && connection.partial.empty())
    judge.advise(rule<"RDMAP-6.2-2">, to.reads.empty(), {}, expected("an answer to each Read Request"),
                 actual([&] { return fmt::format("FIN, and {} without", to.reads.size()); }), "no Terminate says why");
}

}  // namespace wirelaw::rdmap
