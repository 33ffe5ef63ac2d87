// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.6: what the listener makes of a Negotiate Request. Its checks come in three steps
// (SMBD/A26).
#include <algorithm>
#include <utility>

#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.5.6"};
constexpr Section kListenerStimulus = kSection.of(wirelaw::Role::responder).by(Observable::stimulus);
constexpr Section kListener = kSection.of(wirelaw::Role::responder);
constexpr Section kListenerByAbsence = kSection.of(wirelaw::Role::responder).resting_on(Evidence::absence);
constexpr Section kListenerNotJudged = kSection.of(wirelaw::Role::responder).by(Observable::none);
constexpr Section kListenerApi = kSection.of(wirelaw::Role::responder).by(Observable::api);

}  // namespace

constinit const Rule kRequestLengthChecked =
    kListenerStimulus.must("SMBD-3.1.5.6-1", "The length of the request is checked: 20 octets at least.");
constinit const Rule kShortRequestNotProcessed = kListenerStimulus.must(
    "SMBD-3.1.5.6-2", "A shorter request is processed no further.", "no response, not even one of failure");
constinit const Rule kShortRequestEnds =
    kListenerStimulus.must("SMBD-3.1.5.6-3", "A shorter request ends the connection.", "S-03, S-04");
constinit const Rule kRangeChecked = kListenerStimulus.must(
    "SMBD-3.1.5.6-4", "The range from MinVersion to MaxVersion is looked at: it has to hold 0x0100.", "S-18");
constinit const Rule kRangeRefused =
    kListenerStimulus.must("SMBD-3.1.5.6-5", "A range without 0x0100 is answered with STATUS_NOT_SUPPORTED.",
                           "SMBD/A26: also where sizes are wrong as well");
constinit const Rule kRangeElseIgnored =
    kListenerStimulus.should("SMBD-3.1.5.6-6", "A range that holds 0x0100 is ignored otherwise.",
                             "SMBD/A25: Windows Server 2012 insists on 0x0100 twice");
constinit const Rule kZeroCreditsEnd =
    kListenerStimulus.must("SMBD-3.1.5.6-7", "CreditsRequested of zero ends the connection.");
constinit const Rule kSmallReceiveEnds =
    kListenerStimulus.must("SMBD-3.1.5.6-8", "A MaxReceiveSize below 128 ends the connection.");
constinit const Rule kReceiveIsPreferred =
    kListener.should("SMBD-3.1.5.6-9", "The listener lowers its MaxReceiveSize to the initiator's PreferredSendSize.");
constinit const Rule kReceiveFloor =
    kListener.must("SMBD-3.1.5.6-10", "It lowers it to 128 where PreferredSendSize is smaller.", "SMBD/A22");
constinit const Rule kSmallFragmentedEnds =
    kListenerStimulus.must("SMBD-3.1.5.6-11", "A MaxFragmentedSize below 131,072 ends the connection.");
constinit const Rule kRefusedWithoutResponse = kListenerStimulus.must(
    "SMBD-3.1.5.6-12", "A request that fails one of these three checks is processed no further: no response comes.");
constinit const Rule kListenerSetsProtocol = kListenerNotJudged.must(
    "SMBD-3.1.5.6-13", "The connection is of version 0x0100.", "no message but the response shows it: SMBD-3.1.5.3-7");
constinit const Rule kListenerTakesTarget =
    kListenerStimulus.must("SMBD-3.1.5.6-14", "CreditsRequested is the target for what the listener grants.");
constinit const Rule kListenerLowersSend = kListenerStimulus.must(
    "SMBD-3.1.5.6-15", "MaxSendSize becomes the smaller of the listener's own and the initiator's MaxReceiveSize.",
    "in a trace: SMBD-2.2.2-13");
constinit const Rule kListenerTakesFragmented =
    kListenerStimulus.must("SMBD-3.1.5.6-16", "MaxFragmentedSendSize becomes the initiator's MaxFragmentedSize.",
                           "in a trace: SMBD-3.1.5.4-2");
constinit const Rule kGrantsAtLeastOne =
    kListener.must("SMBD-3.1.5.6-17",
                   "A listener that can grant no credit sends a response of failure: a success grants one at least.");
constinit const Rule kFailureIsError = kListener.must(
    "SMBD-3.1.5.6-18", "Status of a failure is an NT status of the severity error.", "SMBD/A24: any such status");
constinit const Rule kRequestIsAnswered = kListenerByAbsence.must(
    "SMBD-3.1.5.6-19", "A request that is in order is answered with a Negotiate Response.",
    "SMBD/A28: within 5 seconds; the end of the connection is for lack of resources (SMBD/A24)");
constinit const Rule kSuccessStatusZero =
    kListenerStimulus.must("SMBD-3.1.5.6-20", "Otherwise the response has Status zero.", "SMBD/A32");
constinit const Rule kListenerIndicates = kListenerApi.must(
    "SMBD-3.1.5.6-21", "The new connection is made known to the upper layer.", "the upper layer sees it");
constinit const Rule kListenersTimerCancelled = kListenerStimulus.must(
    "SMBD-3.1.5.6-22", "The Negotiation Timer is stopped: it does not end an established connection.");
constinit const Rule kListenersIdleTimer =
    kListenerStimulus.must("SMBD-3.1.5.6-23", "The idle timer is set to the keep-alive interval.");
constinit const Rule kListenerEstablished =
    kListenerStimulus.must("SMBD-3.1.5.6-24", "The role becomes ESTABLISHED: Data Transfers are expected.", "SMBD/A41");
constinit const Rule kReceivesInitialised = kListenerStimulus.must(
    "SMBD-3.1.5.6-25", "Receives are posted and counted as credits before the response is sent.");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kSuccessStatusZero, {sizes_signed}), broken_by(kRangeRefused, {sizes_checked_first}),
    broken_by(kRequestLengthChecked, {bad_negotiation_ignored}),
    broken_by(kShortRequestEnds, {bad_negotiation_ignored, accepts_short_negotiation}),
    broken_by(kShortRequestNotProcessed, {bad_request_answered, accepts_short_negotiation}),
    broken_by(kRangeChecked, {accepts_any_version}),
    broken_by(kRangeRefused, {failure_not_sent, bad_negotiation_ignored, accepts_any_version}),
    broken_by(kRangeElseIgnored, {version_range_refused}, {.severity = Severity::warning}),
    broken_by(kZeroCreditsEnd, {bad_negotiation_ignored, accepts_no_credits}),
    broken_by(kSmallReceiveEnds, {bad_negotiation_ignored, accepts_small_receive_size}),
    broken_by(kReceiveIsPreferred, {receive_size_not_lowered}),
    broken_by(kReceiveFloor, {response_receive_size_low, receive_size_below_128}),
    broken_by(kSmallFragmentedEnds, {bad_negotiation_ignored, accepts_small_fragmented_size}),
    broken_by(kRefusedWithoutResponse,
              {bad_request_answered, accepts_no_credits, accepts_small_receive_size, accepts_small_fragmented_size}),
    broken_by(kListenerTakesTarget, kNoMessageArrives),
    broken_by(kListenerTakesTarget, {data_short, empty_length_set, remaining_at_end, response_twice, negotiates_again,
                                     ignores_granted_credits}),
    broken_by(kListenerLowersSend, kNoMessageArrives),
    broken_by(kListenerLowersSend, {remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}),
    broken_by(kListenerTakesFragmented, kNoMessageArrives),
    broken_by(kListenerTakesFragmented, {remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}),
    broken_by(kListenerEstablished, kNoMessageArrives),
    broken_by(kListenerEstablished, {remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}),
    broken_by(kGrantsAtLeastOne, {response_credits_granted_zero}), broken_by(kFailureIsError, {failure_is_no_error}),
    broken_by(kSuccessStatusZero, {response_short, response_status_not_zero, response_missing, response_behind_data,
                                   refuses_reserved_bits}),
    broken_by(kListenerIndicates, {arrival_not_reported}), broken_by(kListenersTimerCancelled, kNoMessageArrives),
    broken_by(kListenersTimerCancelled, {remaining_at_end, negotiates_again, negotiation_timer_not_stopped,
                                         refuses_empty_messages, ignores_granted_credits}),
    broken_by(kListenersIdleTimer, {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages,
                                    ignores_granted_credits, keepalive_not_sent, keepalive_without_flag}),
    broken_by(kReceivesInitialised, kNoMessageArrives),
    broken_by(kReceivesInitialised,
              {response_credits_granted_zero, response_credits_granted_unposted, response_big_endian, data_short,
               remaining_at_end, grants_nothing, no_empty_grant, response_twice, negotiates_again,
               refuses_empty_messages, ignores_granted_credits, grant_replaces_credits}));

}  // namespace

SectionRules receiving_request_rules() {
  static constexpr const Rule* kRules[] = {&kRequestLengthChecked, &kShortRequestNotProcessed,
                                           &kShortRequestEnds,     &kRangeChecked,
                                           &kRangeRefused,         &kRangeElseIgnored,
                                           &kZeroCreditsEnd,       &kSmallReceiveEnds,
                                           &kReceiveIsPreferred,   &kReceiveFloor,
                                           &kSmallFragmentedEnds,  &kRefusedWithoutResponse,
                                           &kListenerSetsProtocol, &kListenerTakesTarget,
                                           &kListenerLowersSend,   &kListenerTakesFragmented,
                                           &kGrantsAtLeastOne,     &kFailureIsError,
                                           &kRequestIsAnswered,    &kSuccessStatusZero,
                                           &kListenerIndicates,    &kListenersTimerCancelled,
                                           &kListenersIdleTimer,   &kListenerEstablished,
                                           &kReceivesInitialised};
  return {.rules = kRules, .breaches = kBreaches};
}

void judge_response_limits(Judge& judge, const NegotiateResponse& response, const Negotiated* request) {
  judge.require(kGrantsAtLeastOne, response.credits_granted > 0, in_response(Field::credits_granted),
                expected("at least 1, or a Status of failure"), actual(0));
  if (!request) return;
  const std::uint32_t most = std::max(request->preferred_send_size, kLeastMaxReceiveSize);
  judge.require(kReceiveIsPreferred, response.max_receive_size <= most, in_response(Field::max_receive_size),
                expected([&] { return fmt::format("at most {}", most); }), actual(response.max_receive_size),
                "the initiator will send no longer message");
  if (request->preferred_send_size < kLeastMaxReceiveSize)
    judge.require(kReceiveFloor, response.max_receive_size >= kLeastMaxReceiveSize,
                  in_response(Field::max_receive_size), expected(kLeastMaxReceiveSize),
                  actual(response.max_receive_size));
}

void judge_failure_status(Judge& judge, const NegotiateResponse& response) {
  judge.require(kFailureIsError, is_error(response.status), in_response(Field::status), expected("0xc0000000 or above"),
                actual(hex(response.status)));
}

const Rule* rule_that_ends(const NegotiateRequest& request) {
  if (request.min_version > kVersion1 || request.max_version < kVersion1) return &kRangeRefused;
  if (request.credits_requested == 0) return &kZeroCreditsEnd;
  if (request.max_receive_size < kLeastMaxReceiveSize) return &kSmallReceiveEnds;
  if (request.max_fragmented_size < kLeastMaxFragmentedSize) return &kSmallFragmentedEnds;
  return nullptr;
}

void judge_request_refused(Judge& judge, Way& listener) {
  const Rule* const rule = std::exchange(listener.must_end, nullptr);
  if (rule == nullptr) return;
  judge.require(
      *rule, false, in_response(Field::status),
      expected(rule == &kRangeRefused ? "STATUS_NOT_SUPPORTED" : "the end of the connection, and no response"),
      actual("a Negotiate Response of success"), "the request before it cannot be accepted");
}

}  // namespace wirelaw::smbd
