// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.2: the order of things at start-up.
#include <fmt/format.h>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/4.3-markers/first_octets.h"
#include "conformance/rdmap/mpa/7.1.2-startup/rules.h"
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/tracker/silence.h"

namespace wirelaw::rdmap {
namespace {

bool is_request(const std::optional<SeenStartFrame>& frame) {
  return frame && frame->decoded().kind() == mpa::FrameKind::request;
}

// RFC 6581, 8: the errors of the negotiation itself.
bool is_negotiation_error(const ErrorCode& error) {
  return error.layer == 2 && error.etype == 0 && error.code >= error::kMpaLocalCatastrophic.code &&
         error.code <= error::kMpaNoMatchingRtr.code;
}
bool is_negotiation_terminate(Octets octets) {
  if (is_zero_marker(octets)) octets = octets.subspan(mpa::kMarkerOctets);
  if (octets.size() < mpa::kLengthOctets) return false;
  const auto segment = ddp::decode(octets.subspan(mpa::kLengthOctets));
  if (!segment || !decode_control(segment->header.rsvd_ulp).is(Opcode::terminate)) return false;
  const auto terminate = decode_terminate(segment->payload);
  return terminate && is_negotiation_error(terminate->error);
}

}  // namespace

Message message_of(const SeenOctets& seen, Side sender) {
  return {.octets = seen.octets,
          .wire_length = seen.octets.size(),
          .sender = sender,
          .index = seen.index,
          .frame = seen.frame};
}

void judge_reply_order(Judge& judge, const Connection& connection, const Direction& from,
                       const mpa::StartFrame& frame) {
  const Direction& to = connection.of(other(from.side));
  const auto require = [&](bool holds, Evidence evidence) {
    judge.require(rule<"MPA-7.1.2-2">, holds, field::kKey, expected("a Request before it"), actual("none"),
                  evidence == Evidence::octets ? "" : "or the two frames were captured in the wrong order", evidence);
  };
  if (!to.start) return;  // whether a Request comes later is not known yet
  // Instead of a Request the other side has sent a Reply as well.
  if (frame.kind() == mpa::FrameKind::reply) return require(is_request(to.start), Evidence::octets);
  if (is_request(to.start) || !from.unbroken) return;
  const Elsewhere at_the_reply(judge, {.octets = to.start->octets,
                                       .wire_length = to.start->octets.size(),
                                       .sender = to.side,
                                       .index = to.start->index,
                                       .frame = to.start->frame});
  require(false, to.start->received_is_known ? Evidence::octets : Evidence::order);
}

void judge_answered_request(Judge& judge) {
  judge.advise(rule<"MPA-7.1.2-5">, true, field::kFlags, expected(""), actual(""));
}

void judge_unanswered_request(Judge& judge, const Direction& initiator, const Direction& responder) {
  const bool waiting = is_request(initiator.start) && !responder.start && responder.seen && responder.held.empty();
  if (!waiting || responder.passed_over > 0 || !is_overdue(judge, responder, initiator.start->time_ns)) return;
  judge.at({.sender = responder.side,
            .index = initiator.start->index,
            .frame = initiator.start->frame,
            .time_ns = initiator.start->time_ns,
            .unanswered = true});
  judge.advise(rule<"MPA-7.1.2-5">, false, {}, expected("a Reply, or the end of the connection"),
               actual("nothing for 100 seconds"), "no time is named; or the Reply was not captured");
}

void judge_lone_reply(Judge& judge, const Direction& initiator, const Direction& responder) {
  const bool proved = responder.start->received_is_known && initiator.unbroken;
  const Elsewhere at_the_reply(judge, {.octets = responder.start->octets,
                                       .wire_length = responder.start->octets.size(),
                                       .sender = responder.side,
                                       .index = responder.start->index,
                                       .frame = responder.start->frame});
  judge.require(rule<"MPA-7.1.2-2">, false, field::kKey, expected("a Request before it"), actual("none ever"),
                proved ? "" : "or the Request was not captured", proved ? Evidence::octets : Evidence::absence);
}

void judge_waiting_initiator(Judge& judge, const Connection& connection) {
  const Direction& initiator = connection.of(connection.agreement.initiator);
  const Direction& responder = connection.of(other(initiator.side));
  if (!responder.unbroken || (responder.start && responder.start->index < initiator.start->index)) return;
  const Octets held = initiator.held;
  const bool proved = initiator.held_unanswered;
  const Elsewhere at_them(judge, {.octets = held,
                                  .wire_length = held.size(),
                                  .sender = initiator.side,
                                  .index = connection.messages,
                                  .frame = judge.message().frame});
  judge.require(rule<"MPA-7.1.2-6">, held.empty(), octets(0, std::min(held.size(), kFirstOctets)),
                expected("nothing before the Reply"),
                actual([&] { return fmt::format("{} octets behind the Request", held.size()); }),
                proved ? "" : "or the Reply was captured too late, or not at all",
                proved ? Evidence::octets : Evidence::order);
}

void judge_fpdu_order(Judge& judge, const Seen& seen) {
  const Connection& connection = seen.connection;
  if (!connection.agreement.reached || connection.agreement.assumed || seen.from.fpdus > 0) return;
  const bool initiator = seen.from.side == connection.agreement.initiator;
  if (initiator && seen.to.early && seen.from.unbroken)
    judge_early_responder(judge, seen.connection, seen.to);
  else if (!initiator && !seen.from.early && seen.to.fpdus > 0)
    judge.require(rule<"MPA-7.1.2-12">, true, field::kUlpduLength, expected(""), actual(""));
}

void judge_early_responder(Judge& judge, const Connection& connection, Direction& responder) {
  const Elsewhere at_it(judge, message_of(*responder.early, responder.side));
  const bool excused = connection.agreement.enhanced() && is_negotiation_terminate(responder.early->octets);
  const bool proved = responder.early->received_is_known;
  const Evidence otherwise =
      connection.of(connection.agreement.initiator).fpdus > 0 ? Evidence::order : Evidence::absence;
  const auto want = expected("an FPDU from the Initiator before it");
  const auto got = actual("none");
  if (excused)
    judge.advise(rule<"MPA-7.1.2-12">, false, field::kUlpduLength, want, got, "a Terminate of the negotiation");
  else
    judge.require(rule<"MPA-7.1.2-12">, false, field::kUlpduLength, want, got,
                  proved ? "" : "or the Initiator's FPDU was captured too late, or not at all",
                  proved ? Evidence::octets : otherwise);
  responder.early.reset();
}

void judge_silence_after_rejection(Judge& judge, const Connection& connection, const Direction& from, bool silent) {
  const bool initiator = from.side == connection.agreement.initiator;
  judge.require(initiator ? rule<"MPA-7.1.2-9"> : rule<"MPA-7.1.2-8">, silent, field::kUlpduLength,
                expected("no FPDU after a rejection"), actual("an FPDU"));
}

}  // namespace wirelaw::rdmap
