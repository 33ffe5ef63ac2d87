// SPDX-License-Identifier: Apache-2.0
// RFC 5040, sections 6.2 and 6.2.1: how a stream ends. What a side leaves unfinished when it is the first to close in
// order, without a Terminate that would say why, is an LLP Abortive Termination in a graceful one's clothes.
#include <algorithm>

#include "conformance/rdmap/rdmap/terminate_seen.h"
#include "conformance/rdmap/tracker/silence.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection6_2{"RFC 5040 6.2"};
constexpr Section kSection6_2AtVerbs = kSection6_2.by(Observable::api);
constexpr Section kSection6_2_1{"RFC 5040 6.2.1"};
constexpr Section kSection6_2_1AtVerbs = kSection6_2_1.by(Observable::api);
constexpr Section kSection6_2_1NotJudged = kSection6_2_1.by(Observable::none);

constinit const Rule kMessagesComplete =
    kSection6_2.resting_on(Evidence::absence)
        .should("RDMAP-6.2-1", "A side that closes in order has sent the last segment of each message.",
                "RDMAP/A-40b: the section calls the loss of a stream in the middle highly undesirable, it does not "
                "forbid it");
constinit const Rule kReadsAnswered =
    kSection6_2.resting_on(Evidence::absence)
        .should("RDMAP-6.2-2", "A side that closes in order has answered the Reads that it was sent.",
                "RDMAP/A-40b: a request may be on its way when its receiver closes, so a breach is a warning");
constinit const Rule kGracefulByUlp =
    kSection6_2AtVerbs.may("RDMAP-6.2-3", "The ULP performs ULP Graceful Termination.",
                           "What the ULPs say to each other before the close is theirs");
constinit const Rule kTerminateOnRdmapError =
    kSection6_2_1NotJudged.should("RDMAP-6.2.1-1", "An error that RDMAP encounters makes it send a Terminate.",
                                  "RDMAP-7.1-4 and RDMAP-7.1-6 demand it");
constinit const Rule kOutstandingFail = kSection6_2_1AtVerbs.should(
    "RDMAP-6.2.1-3", "When a Terminate is received, all outstanding messages are considered completed in error.",
    "The completion queue shows it");
constinit const Rule kGraceful =
    kSection6_2_1.resting_on(Evidence::absence)
        .should("RDMAP-6.2.1-5",
                "A side that has sent or received a Terminate closes the connection in "
                "order, so that the Terminate is delivered.",
                "RDMAP/A-63 says when a connection that is left open is found fault with.");

bool a_message_is_open(const Direction& from) {
  return from.tagged.open || std::ranges::any_of(from.queues, [](const Queue& queue) { return queue.message.open; });
}

// An orderly close with nothing before it that explains what is left undone.
bool first_to_close_in_order(const Connection& connection, const Direction& from) {
  const Direction& to = connection.of(other(from.side));
  return from.closed && !from.reset && !to.closed && !to.reset && !from.terminate_sent && !to.terminate_sent;
}

constexpr Breach kBreaches[] = {
    {Deviation::closes_inside_message, kMessagesComplete, {.who = wirelaw::Role::initiator}},
    {Deviation::work_not_flushed, kOutstandingFail, {.given = "verbs pair"}},
};

}  // namespace

SectionRules teardown_rules() {
  static constexpr const Rule* kRules[] = {&kMessagesComplete,      &kReadsAnswered,   &kGracefulByUlp,
                                           &kTerminateOnRdmapError, &kOutstandingFail, &kGraceful};
  return {kRules, kBreaches};
}

void judge_open_after_terminate(Judge& judge, const Direction& from) {
  if (!from.terminate_sent || !is_overdue(judge, from, from.terminate_ns)) return;
  judge.at({.sender = from.side,
            .index = from.terminate_index,
            .frame = from.terminate_frame,
            .time_ns = from.terminate_ns});
  judge.require(kGraceful, false, {}, expected("FIN"), actual("nothing for 100 seconds"),
                "neither side has closed the connection; or its end was not captured");
}

void judge_teardown(Judge& judge, const Connection& connection, const Direction& from) {
  const Direction& to = connection.of(other(from.side));
  if ((from.terminate_sent || to.terminate_sent) && (from.closed || from.reset))
    judge.require(kGraceful, from.closed || to.closed || to.reset, {}, expected("FIN"), actual("RST"),
                  "a reset may overtake the Terminate or throw it away; or a FIN before it was not captured");
  if (!first_to_close_in_order(connection, from) || !from.deframer || from.phase != Reading::full) return;
  judge.require(kMessagesComplete, !a_message_is_open(from), {}, expected("the last segment of each message"),
                actual("FIN in the middle of one"), "or what made it stop was not captured");
  if (to.reads_forgotten == 0)
    judge.advise(kReadsAnswered, to.reads.empty(), {}, expected("an answer to each Read Request"),
                 actual([&] { return fmt::format("FIN, and {} without", to.reads.size()); }), "no Terminate says why");
}

}  // namespace wirelaw::rdmap
