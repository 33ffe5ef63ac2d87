// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.7: what the initiator makes of a Negotiate Response. In which order it checks is not judged
// (SMBD/A27).
#include <utility>

#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.5.7"};
constexpr Section kInitiatorStimulus = kSection.of(wirelaw::Role::initiator).by(Observable::stimulus);
constexpr Section kInitiator = kSection.of(wirelaw::Role::initiator);
constexpr Section kInitiatorApi = kSection.of(wirelaw::Role::initiator).by(Observable::api);

}  // namespace

constinit const Rule kShortResponseEnds =
    kInitiatorStimulus.must("SMBD-3.1.5.7-1", "A response of fewer than 32 octets ends the connection.");
constinit const Rule kOtherVersionEnds =
    kInitiatorStimulus.must("SMBD-3.1.5.7-2", "A NegotiatedVersion other than 0x0100 ends the connection.");
constinit const Rule kResponseSmallReceiveEnds =
    kInitiatorStimulus.must("SMBD-3.1.5.7-3", "A MaxReceiveSize below 128 ends the connection.");
constinit const Rule kResponseSmallFragmentedEnds =
    kInitiatorStimulus.must("SMBD-3.1.5.7-4", "A MaxFragmentedSize below 131,072 ends the connection.");
constinit const Rule kNoGrantEnds =
    kInitiatorStimulus.must("SMBD-3.1.5.7-5", "CreditsGranted of zero ends the connection.");
constinit const Rule kNoRequestedEnds =
    kInitiatorStimulus.must("SMBD-3.1.5.7-6", "CreditsRequested of zero ends the connection.");
constinit const Rule kLargePreferredEnds = kInitiatorStimulus.must(
    "SMBD-3.1.5.7-7", "A PreferredSendSize above the initiator's MaxReceiveSize ends the connection.");
constinit const Rule kStatusChecked =
    kInitiatorStimulus.must("SMBD-3.1.5.7-8", "A Status other than zero ends the connection.");
constinit const Rule kSilentAfterFailure = kInitiator.must(
    "SMBD-3.1.5.7-9", "After a response of failure the initiator ends the connection: it sends no Data Transfer.");
constinit const Rule kResponseFailureReturned =
    kInitiatorApi.must("SMBD-3.1.5.7-10", "Such a failure is returned to the upper layer.", "the upper layer sees it");
constinit const Rule kInitiatorSetsProtocol =
    kInitiatorStimulus.must("SMBD-3.1.5.7-11", "The connection is of version 0x0100.");
constinit const Rule kInitiatorTakesTarget =
    kInitiatorStimulus.must("SMBD-3.1.5.7-12", "CreditsRequested is the target for what the initiator grants.");
constinit const Rule kInitiatorLowersReceive =
    kInitiatorStimulus.must("SMBD-3.1.5.7-13", "MaxReceiveSize is lowered to the listener's PreferredSendSize.");
constinit const Rule kInitiatorReceiveFloor =
    kInitiatorStimulus.must("SMBD-3.1.5.7-14", "It is not lowered below 128.");
constinit const Rule kInitiatorLowersSend = kInitiatorStimulus.must(
    "SMBD-3.1.5.7-15", "MaxSendSize becomes the smaller of the initiator's own and the listener's MaxReceiveSize.",
    "in a trace: SMBD-3.1.5.4-12; S-06");
constinit const Rule kInitiatorReadWrite = kInitiatorApi.must(
    "SMBD-3.1.5.7-16", "MaxReadWriteSize becomes the smaller of the initiator's own limit and the listener's.",
    "3.1.4.7 returns it to the upper layer");
constinit const Rule kInitiatorTakesCredits = kInitiatorStimulus.must(
    "SMBD-3.1.5.7-17", "CreditsGranted is what the initiator may send at first.", "in a trace: SMBD-3.1.5.1-3");
constinit const Rule kInitiatorTakesFragmented = kInitiatorStimulus.must(
    "SMBD-3.1.5.7-18", "MaxFragmentedSendSize becomes the listener's MaxFragmentedSize.", "in a trace: SMBD-3.1.5.4-2");
constinit const Rule kInitiatorReceivesInitialised =
    kInitiatorStimulus.must("SMBD-3.1.5.7-19", "Receives are posted and counted as credits.");
constinit const Rule kInitiatorWithoutReceivesEnds =
    kInitiatorApi.must("SMBD-3.1.5.7-20", "Where none can be posted the connection is ended.",
                       "needs a provider that is short of receives");
constinit const Rule kInitiatorWithoutReceivesReturns =
    kInitiatorApi.must("SMBD-3.1.5.7-21", "Where none can be posted an error is returned.", "the upper layer sees it");
constinit const Rule kInitiatorsTimerCancelled = kInitiatorStimulus.must(
    "SMBD-3.1.5.7-22", "The Negotiation Timer is stopped: it does not end an established connection.");
constinit const Rule kInitiatorsIdleTimer =
    kInitiatorStimulus.must("SMBD-3.1.5.7-23", "The idle timer is set to the keep-alive interval.");
constinit const Rule kInitiatorEstablished =
    kInitiatorStimulus.must("SMBD-3.1.5.7-24", "The role becomes ESTABLISHED: Data Transfers are expected.");
constinit const Rule kResponseSuccessReturned =
    kInitiatorApi.must("SMBD-3.1.5.7-25", "Success is returned to the upper layer.", "the upper layer sees it");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kInitiatorLowersSend, {sizes_signed}), broken_by(kInitiatorTakesFragmented, {sizes_signed}),
    broken_by(kShortResponseEnds, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kShortResponseEnds, {request_twice, accepts_short_negotiation, bad_negotiation_ignored}),
    broken_by(kOtherVersionEnds, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kOtherVersionEnds, {request_twice, accepts_any_version, bad_negotiation_ignored}),
    broken_by(kResponseSmallReceiveEnds, kNoMessageArrives),
    broken_by(kResponseSmallReceiveEnds,
              {request_twice, data_before_response, accepts_small_receive_size, bad_negotiation_ignored}),
    broken_by(kResponseSmallFragmentedEnds, kNoMessageArrives),
    broken_by(kResponseSmallFragmentedEnds,
              {request_twice, data_before_response, accepts_small_fragmented_size, bad_negotiation_ignored}),
    broken_by(kNoGrantEnds, kNoMessageArrives),
    broken_by(kNoGrantEnds, {data_short, grants_unposted, request_twice, data_before_response, negotiates_again,
                             accepts_no_grant, bad_negotiation_ignored, ignores_granted_credits}),
    broken_by(kNoRequestedEnds, kNoMessageArrives),
    broken_by(kNoRequestedEnds, {data_short, grants_unposted, request_twice, data_before_response, negotiates_again,
                                 accepts_no_credits, bad_negotiation_ignored, ignores_granted_credits}),
    broken_by(kLargePreferredEnds, kNoMessageArrives),
    broken_by(kLargePreferredEnds, {request_receive_size_low, request_big_endian, request_twice, data_before_response,
                                    accepts_large_preferred_size, bad_negotiation_ignored}),
    broken_by(kStatusChecked, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kStatusChecked, {request_twice, accepts_failure_status, bad_negotiation_ignored}),
    broken_by(kSilentAfterFailure, {accepts_failure_status}),
    broken_by(kResponseFailureReturned, {accepts_failure_status, bad_negotiation_ignored, end_not_reported}),
    broken_by(kInitiatorSetsProtocol, kNoMessageArrives),
    broken_by(kInitiatorSetsProtocol, {request_min_version_zero, request_max_version_two, request_version_two,
                                       request_max_below_min, request_big_endian, data_before_request}),
    broken_by(kInitiatorTakesTarget, kNoMessageArrives),
    broken_by(kInitiatorTakesTarget,
              {data_short, grants_unposted, request_twice, negotiates_again, ignores_granted_credits}),
    broken_by(kInitiatorLowersReceive, kNoMessageArrives),
    broken_by(kInitiatorLowersReceive, {request_big_endian, fragments_swapped, fragment_repeated, fragment_missing,
                                        grants_nothing, receives_small, delivers_fragments, grant_replaces_credits}),
    broken_by(kInitiatorReceiveFloor, kNoMessageArrives),
    broken_by(kInitiatorReceiveFloor,
              {fragments_swapped, fragment_repeated, fragment_missing, grants_nothing, receives_small,
               receive_size_below_128, delivers_fragments, grant_replaces_credits}),
    broken_by(kInitiatorLowersSend, kNoMessageArrives),
    broken_by(kInitiatorLowersSend, {data_length_beyond, segment_above_receive_size, request_twice, negotiates_again}),
    broken_by(kInitiatorReadWrite, {transfer_ignores_lengths, transfer_above_agreed}),
    broken_by(kInitiatorTakesCredits, kNoMessageArrives),
    broken_by(kInitiatorTakesCredits,
              {data_short, grants_unposted, request_twice, negotiates_again, ignores_granted_credits}),
    broken_by(kInitiatorTakesFragmented, kNoMessageArrives),
    broken_by(kInitiatorTakesFragmented,
              {remaining_zero_early, fragment_missing, message_above_fragmented_size, data_before_response}),
    broken_by(kInitiatorReceivesInitialised, kNoMessageArrives),
    broken_by(kInitiatorReceivesInitialised, {data_short, grants_unposted, request_twice, negotiates_again,
                                              refuses_empty_messages, grant_replaces_credits}),
    broken_by(kInitiatorsTimerCancelled, kMessagesAltered),
    broken_by(kInitiatorsTimerCancelled, {data_big_endian, data_short, negotiation_timer_not_stopped, delivers_nothing,
                                          refuses_empty_messages, keepalive_without_flag, idle_timer_not_restarted}),
    broken_by(kInitiatorsIdleTimer, {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages,
                                     keepalive_not_sent, keepalive_without_flag}),
    broken_by(kInitiatorEstablished, kNoMessageArrives),
    broken_by(kInitiatorEstablished, {request_max_version_two, request_version_two, request_max_below_min,
                                      request_big_endian, data_before_request}),
    broken_by(kResponseSuccessReturned, {arrival_not_reported}));

}  // namespace

SectionRules receiving_response_rules() {
  static constexpr const Rule* kRules[] = {&kShortResponseEnds,
                                           &kOtherVersionEnds,
                                           &kResponseSmallReceiveEnds,
                                           &kResponseSmallFragmentedEnds,
                                           &kNoGrantEnds,
                                           &kNoRequestedEnds,
                                           &kLargePreferredEnds,
                                           &kStatusChecked,
                                           &kSilentAfterFailure,
                                           &kResponseFailureReturned,
                                           &kInitiatorSetsProtocol,
                                           &kInitiatorTakesTarget,
                                           &kInitiatorLowersReceive,
                                           &kInitiatorReceiveFloor,
                                           &kInitiatorLowersSend,
                                           &kInitiatorReadWrite,
                                           &kInitiatorTakesCredits,
                                           &kInitiatorTakesFragmented,
                                           &kInitiatorReceivesInitialised,
                                           &kInitiatorWithoutReceivesEnds,
                                           &kInitiatorWithoutReceivesReturns,
                                           &kInitiatorsTimerCancelled,
                                           &kInitiatorsIdleTimer,
                                           &kInitiatorEstablished,
                                           &kResponseSuccessReturned};
  return {.rules = kRules, .breaches = kBreaches};
}

void judge_silent_after_failure(Judge& judge, bool silent) {
  judge.require(kSilentAfterFailure, silent, octets(0, judge.message().octets.size()),
                expected("the end of the connection"), actual("another message"));
}

const Rule* rule_that_ends(const NegotiateResponse& response, const Negotiated* request) {
  if (response.negotiated_version != kVersion1) return &kOtherVersionEnds;
  if (response.max_receive_size < kLeastMaxReceiveSize) return &kResponseSmallReceiveEnds;
  if (response.max_fragmented_size < kLeastMaxFragmentedSize) return &kResponseSmallFragmentedEnds;
  if (response.credits_granted == 0) return &kNoGrantEnds;
  if (response.credits_requested == 0) return &kNoRequestedEnds;
  if (request != nullptr && response.preferred_send_size > request->max_receive_size) return &kLargePreferredEnds;
  return nullptr;
}

void judge_response_refused(Judge& judge, Way& initiator) {
  const Rule* const rule =
      initiator.role == wirelaw::Role::initiator ? std::exchange(initiator.must_end, nullptr) : nullptr;
  if (rule == nullptr) return;
  judge.require(*rule, false, octets(0, judge.message().octets.size()), expected("the end of the connection"),
                actual("another message"), "the Negotiate Response before it cannot be accepted");
}

}  // namespace wirelaw::smbd
