// SPDX-License-Identifier: Apache-2.0
// What is due at the end of a trace: an answer that never came, a client that no longer waits for it. Packets may have
// been lost between the peers behind the capture, so a server's silence proves nothing (RAMCLOUD/R43); a client that
// lacks its response and does not ask again has given up without having tried (RAMCLOUD/R42).
#include "conformance/ramcloud/session/silence.h"

#include "conformance/ramcloud/old/rules.h"
#include "conformance/ramcloud/session/rules.h"

namespace wirelaw::ramcloud {

namespace {

// Sixty times the 500 ms after which deployed clients have given up (RAMCLOUD/R42).
constexpr std::int64_t kGraceNs = 30'000'000'000;

// The finding is about the latest packet of what was not answered, and of nothing in it.
void point_at(Judge& judge, const LatestPacket& latest, Side sender, bool unanswered) {
  judge.at({.octets = {},
            .sender = sender,
            .index = latest.index,
            .frame = latest.frame,
            .time_ns = latest.time_ns,
            .unanswered = unanswered});
}

// Whether the side has sent something so long afterwards that it was there, and silent about this.
bool outlived(const AliveNs& alive_ns, Side side, std::int64_t since_ns) {
  return alive_ns[static_cast<std::size_t>(side)] - since_ns >= kGraceNs;
}

}  // namespace

void judge_open_answered(Judge& judge, const PendingOpen& open, const AliveNs& alive_ns) {
  const bool given_up = open.responses == 0 && open.requests < 2;  // it was asked once, and that may have been lost
  if (given_up || !outlived(alive_ns, other(open.client), open.latest.time_ns)) return;
  point_at(judge, open.latest, other(open.client), /*unanswered=*/true);
  judge.advise(rule<"RAMCLOUD-session-9">, open.responses > 0, octets(0, 0), expected("an open response"),
               actual([&] { return fmt::format("none to {} open requests", open.requests); }),
               "or the requests, or the responses to them, were lost");
}

void judge_request_answered(Judge& judge, const Session& session, const Exchange& exchange, const AliveNs& alive_ns) {
  const Transfer& request = exchange.request;
  const Transfer& response = exchange.response;
  if (!outlived(alive_ns, session.client, exchange.latest_ns) || request.fragments.count() == 0) return;
  if (request.unsettled || response.unsettled) return;
  point_at(judge, exchange.from_client, session.client, /*unanswered=*/false);
  const bool asked =
      judge.require(rule<"RAMCLOUD-old-23">, response.complete() || exchange.asked_again > 0, octets(0, 0),
                    expected("the request, or an ACK, once more"), actual("silence until the end"), [&] {
                      const std::string_view came =
                          exchange.acknowledged ? "every fragment was acknowledged" : "the request was not answered";
                      return fmt::format(
                          "{}, and {} of {} response fragments came; or what came and went "
                          "was not captured",
                          came, response.fragments.count(), response.total_frags);
                    });
  if (!asked || session.astray || !request.complete() || !outlived(alive_ns, session.server(), exchange.latest_ns))
    return;
  point_at(judge, exchange.from_client, session.server(), /*unanswered=*/true);
  judge.advise(rule<"RAMCLOUD-session-9">, response.started(), octets(0, 0), expected("a response"),
               actual([&] { return fmt::format("none to rpcId {}", exchange.rpc_id); }),
               exchange.acknowledged ? "the request is still executed, or the responses were lost"
                                     : "or the request, or the responses to it, were lost");
}

}  // namespace wirelaw::ramcloud
