// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.2: the order of things at start-up.
#include <fmt/format.h>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/4.3-markers/first_octets.h"
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/rdmap/tracker/silence.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection = Section{"RFC 5044 7.1.2"}.by(Observable::api);
constexpr Section kStimuli = kSection.by(Observable::stimulus);
constexpr Section kInitiator = kSection.of(wirelaw::Role::initiator).by(Observable::trace);
constexpr Section kInitiatorStimuli = kSection.of(wirelaw::Role::initiator).by(Observable::stimulus);
constexpr Section kResponder = kSection.of(wirelaw::Role::responder).by(Observable::trace);
constexpr Section kResponderStimuli = kSection.of(wirelaw::Role::responder).by(Observable::stimulus);
constexpr Section kResponderAtVerbs = kSection.of(wirelaw::Role::responder);

constinit const Rule kRequestSent =
    kInitiatorStimuli.must("MPA-7.1.2-1", "The Initiator sends a valid Request.",
                           "What is wrong with one that is whole is judged by the rules of 7.1.1.");
constinit const Rule kReplyAfterRequest =
    kResponder.resting_on(Evidence::order)
        .must("MPA-7.1.2-2", "The Responder sends its Reply only when a Request has come.");
constinit const Rule kBadRequestCloses = kResponderStimuli.must(
    "MPA-7.1.2-3", "On a Request that is not properly formatted the Responder closes the connection.");
constinit const Rule kUnacceptableRejected =
    kResponderAtVerbs.should("MPA-7.1.2-4", "Private data that is not acceptable is answered by a Reply with R=1.",
                             "What is acceptable is the ULP's to say, by rdma_reject. Rules 2 and 6 both ask for it.");
constinit const Rule kAcceptableAccepted = kResponder.should(
    "MPA-7.1.2-5", "A proper Request with acceptable private data is answered by a Reply with R=0.",
    "RDMAP/A-63: a Request that is never answered, by anything, is warned of, as the ULP may take its "
    "time. RDMAP/A-64: so is the close on private data that is longer than the responder's buffer.");
constinit const Rule kInitiatorWaits =
    kInitiator.resting_on(Evidence::order)
        .must("MPA-7.1.2-6", "The Initiator sends nothing behind its Request before the Reply has come.",
              "Rule 3, and the note to rule 2: FPDUs before the Reply are not possible.");
constinit const Rule kBadReplyCloses = kInitiatorStimuli.must(
    "MPA-7.1.2-7", "On a Reply that is not properly formatted the Initiator closes the connection.",
    "RDMAP/A-34: an Initiator that sends a Terminate 2/0/04 first is warned.");
constinit const Rule kNoFpduAfterRejecting = kResponder.must(
    "MPA-7.1.2-8", "A Responder that has rejected the connection has left MPA: it sends no FPDU.",
    "RDMAP/A-31: closing the connection, leaving it open and using it for something else are all right. An "
    "FPDU is known by its CRC.");
constinit const Rule kNoFpduWhenRejected = kInitiator.must(
    "MPA-7.1.2-9", "An Initiator that has been rejected leaves MPA: it sends no FPDU.", "RDMAP/A-31, as MPA-7.1.2-8.");
constinit const Rule kInitiatorsDetected = kInitiatorStimuli.must(
    "MPA-7.1.2-10", "An Initiator to which a Request comes takes it for what it is, and closes the connection.");
constinit const Rule kEntersFullOperation =
    kInitiatorStimuli.should("MPA-7.1.2-11", "An Initiator that has been accepted enters Full Operation.");
constinit const Rule kResponderWaits =
    kResponder.resting_on(Evidence::order)
        .must(
            "MPA-7.1.2-12", "The Responder sends no FPDU and no marker before it has received an FPDU.",
            "RDMAP/A-32: the only exception, on an enhanced connection, is a Terminate of RFC 6581 (2/0/05 to 2/0/07): "
            "warned.");
constinit const Rule kRequestTimeout =
    kResponderStimuli.should("MPA-7.1.2-13", "A Responder to which no Request comes gives up after some time.",
                             "No time is named; a case waits as long as the user lets it.");
constinit const Rule kStartupTimeout = kStimuli.should(
    "MPA-7.1.2-14",
    "A start frame that does not become whole, or does not come, makes a side give up after a reasonable time.",
    "As MPA-7.1.2-13.");
constinit const Rule kUlpTimeout = kSection.should(
    "MPA-7.1.2-15", "The ULP puts a time limit on waiting for FPDUs and for messages of the application.",
    "What the ULP waits for is known above MPA.");
constinit const Rule kBufferLargeEnough = kSection.must(
    "MPA-7.1.2-16", "The buffer for private data is large enough, and no more than PD_Length is put there.",
    "Memory of one implementation; a sanitizer or a crash shows it.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr const Rule* kRules[] = {
    &kRequestSent,        &kReplyAfterRequest,  &kBadRequestCloses,    &kUnacceptableRejected,
    &kAcceptableAccepted, &kInitiatorWaits,     &kBadReplyCloses,      &kNoFpduAfterRejecting,
    &kNoFpduWhenRejected, &kInitiatorsDetected, &kEntersFullOperation, &kResponderWaits,
    &kRequestTimeout,     &kStartupTimeout,     &kUlpTimeout,          &kBufferLargeEnough};

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

constexpr Breach kBreaches[] = {
    {Deviation::key_of_other_role, kRequestSent},
    {Deviation::private_data_length_long, kRequestSent},
    {Deviation::request_cut, kRequestSent},
    {Deviation::reply_before_request, kReplyAfterRequest},
    {Deviation::accepts_bad_key, kBadRequestCloses},
    {Deviation::reject_closes, kUnacceptableRejected, {.given = "verbs"}},
    {Deviation::key_of_other_role, kAcceptableAccepted},
    {Deviation::private_data_length_long, kAcceptableAccepted},
    {Deviation::reply_missing, kAcceptableAccepted},
    {Deviation::rejects_everything, kAcceptableAccepted},
    {Deviation::private_data_length_short, kInitiatorWaits},
    {Deviation::request_twice, kInitiatorWaits},
    {Deviation::fpdu_before_reply, kInitiatorWaits},
    {Deviation::accepts_bad_key, kBadReplyCloses},
    {Deviation::fpdu_after_rejection, kNoFpduAfterRejecting, {.given = "needs-reads"}},
    {Deviation::fpdu_after_rejection, kNoFpduWhenRejected},
    {Deviation::accepts_bad_key, kInitiatorsDetected},
    {Deviation::revision_zero, kEntersFullOperation},
    {Deviation::private_data_length_short, kResponderWaits},
    {Deviation::fpdu_before_first, kResponderWaits},
    {Deviation::never_times_out, kRequestTimeout, {.severity = Severity::warning}},
    {Deviation::never_times_out, kStartupTimeout, {.severity = Severity::warning}},
};

}  // namespace

SectionRules s7_1_2_startup_rules() {
  return {kRules, kBreaches};
}

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
    judge.require(kReplyAfterRequest, holds, field::kKey, expected("a Request before it"), actual("none"),
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
  judge.advise(kAcceptableAccepted, true, field::kFlags, expected(""), actual(""));
}

void judge_unanswered_request(Judge& judge, const Direction& initiator, const Direction& responder) {
  const bool waiting = is_request(initiator.start) && !responder.start && responder.seen && responder.held.empty();
  if (!waiting || responder.passed_over > 0 || !is_overdue(judge, responder, initiator.start->time_ns)) return;
  judge.at({.sender = responder.side,
            .index = initiator.start->index,
            .frame = initiator.start->frame,
            .time_ns = initiator.start->time_ns,
            .unanswered = true});
  judge.advise(kAcceptableAccepted, false, {}, expected("a Reply, or the end of the connection"),
               actual("nothing for 100 seconds"), "no time is named; or the Reply was not captured");
}

void judge_lone_reply(Judge& judge, const Direction& initiator, const Direction& responder) {
  const bool proved = responder.start->received_is_known && initiator.unbroken;
  const Elsewhere at_the_reply(judge, {.octets = responder.start->octets,
                                       .wire_length = responder.start->octets.size(),
                                       .sender = responder.side,
                                       .index = responder.start->index,
                                       .frame = responder.start->frame});
  judge.require(kReplyAfterRequest, false, field::kKey, expected("a Request before it"), actual("none ever"),
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
  judge.require(kInitiatorWaits, held.empty(), octets(0, std::min(held.size(), kFirstOctets)),
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
    judge.require(kResponderWaits, true, field::kUlpduLength, expected(""), actual(""));
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
    judge.advise(kResponderWaits, false, field::kUlpduLength, want, got, "a Terminate of the negotiation");
  else
    judge.require(kResponderWaits, false, field::kUlpduLength, want, got,
                  proved ? "" : "or the Initiator's FPDU was captured too late, or not at all",
                  proved ? Evidence::octets : otherwise);
  responder.early.reset();
}

void judge_silence_after_rejection(Judge& judge, const Connection& connection, const Direction& from, bool silent) {
  const bool initiator = from.side == connection.agreement.initiator;
  judge.require(initiator ? kNoFpduWhenRejected : kNoFpduAfterRejecting, silent, field::kUlpduLength,
                expected("no FPDU after a rejection"), actual("an FPDU"));
}

}  // namespace wirelaw::rdmap
