// SPDX-License-Identifier: Apache-2.0
// Judges missing packets at the end of a trace: an answer that never came, or the retry of a client that lacks an
// answer. The capture does not show all lost packets, so a server's silence proves nothing (RAMCLOUD/R43). A client
// that lacks its response and does not ask again has given up without a retry (RAMCLOUD/R42).
#include "conformance/ramcloud/session/silence.h"

#include "conformance/ramcloud/old/rules.h"
#include "conformance/ramcloud/session/rules.h"

namespace wirelaw::ramcloud {

namespace {

// Points the finding at the latest unanswered packet, but at none of its octets.
void point_at(Judge& judge, const LatestPacket& latest, Side sender, bool unanswered) {
  judge.at({.octets = {},
            .sender = sender,
            .index = latest.index,
            .frame = latest.frame,
            .time_ns = latest.time_ns,
            .unanswered = unanswered});
}

}  // namespace

void check_open_answered(Judge& judge, const OpenFact& fact) {
  point_at(judge, fact.latest, fact.server, /*unanswered=*/true);
  judge.advise(rule<"RAMCLOUD-session-9">, fact.responses > 0, octets(0, 0), expected("an open response"),
               actual([&] { return fmt::format("none to {} open requests", fact.requests); }),
               "or the requests, or the responses to them, were lost");
}

void check_request_answered(Judge& judge, const LastRpcFact& fact) {
  point_at(judge, fact.from_client, fact.client, /*unanswered=*/false);
  const bool asked = judge.require(
      rule<"RAMCLOUD-old-23">, fact.is_response_complete || fact.is_asked_again, octets(0, 0),
      expected("the request, or an ACK, once more"), actual("silence until the end"), [&] {
        return fmt::format("{}, and {} of {} response fragments came; or what came and went was not captured",
                           fact.is_acknowledged ? "every fragment was acknowledged" : "the request was not answered",
                           fact.response_frags, fact.response_total);
      });
  if (!asked || !fact.owes_server) return;
  point_at(judge, fact.from_client, other(fact.client), /*unanswered=*/true);
  judge.advise(rule<"RAMCLOUD-session-9">, fact.response_total > 0, octets(0, 0), expected("a response"),
               actual([&] { return fmt::format("none to rpcId {}", fact.rpc_id); }),
               fact.is_acknowledged ? "the request is still executed, or the responses were lost"
                                    : "or the request, or the responses to it, were lost");
}

}  // namespace wirelaw::ramcloud
