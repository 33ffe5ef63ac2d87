// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.8: what a Data Transfer does at its receiver.
#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.5.8"};
constexpr Section kStimulus = kSection.by(Observable::stimulus);
constexpr Section kAnyByAbsence = kSection.resting_on(Evidence::absence);
constexpr Section kApi = kSection.by(Observable::api);

}  // namespace

constinit const Rule kShortDataEnds =
    kStimulus.must("SMBD-3.1.5.8-1", "A message of fewer than 20 octets ends the connection.", "S-03");
constinit const Rule kZeroRequestedEnds =
    kStimulus.must("SMBD-3.1.5.8-2", "CreditsRequested of zero ends the connection.");
constinit const Rule kUnalignedEnds =
    kStimulus.must("SMBD-3.1.5.8-3", "A DataOffset that is no multiple of 8 ends the connection.");
constinit const Rule kNothingAfterEnd = kStimulus.must(
    "SMBD-3.1.5.8-4", "What ends the connection is processed no further: no octet of it reaches the upper layer.");
constinit const Rule kDataBeyondMessageEnds = kStimulus.must(
    "SMBD-3.1.5.8-5", "DataOffset and DataLength beyond the message end the connection, also where their sum wraps.",
    "S-01");
constinit const Rule kTooMuchFragmentedEnds = kStimulus.must(
    "SMBD-3.1.5.8-6",
    "DataLength and RemainingDataLength above MaxFragmentedRecvSize end the connection, also where their sum wraps.",
    "SMBD/A6; S-02");
constinit const Rule kReceiptSpendsCredit =
    kStimulus.must("SMBD-3.1.5.8-7", "A message received is one credit less that the peer has.");
constinit const Rule kGrantsPromptly = kStimulus.must(
    "SMBD-3.1.5.8-8",
    "Where nothing waits to be sent and credits can be granted, a message that grants them goes out promptly.",
    "SMBD/A28; S-08");
constinit const Rule kTargetTaken = kStimulus.must("SMBD-3.1.5.8-9", "CreditsRequested is the new target.", "S-08");
constinit const Rule kFlagSetsPending =
    kStimulus.must("SMBD-3.1.5.8-10", "SMB_DIRECT_RESPONSE_REQUESTED makes a keep-alive pending.", "SMBD/A4, SMBD/A5");
constinit const Rule kFlagIsImmediate = kStimulus.must(
    "SMBD-3.1.5.8-11", "It has a message sent at once, and no endless exchange of such messages comes of it.",
    "SMBD/A4; S-10");
constinit const Rule kFlagIsAnswered = kAnyByAbsence.must(
    "SMBD-3.1.5.8-12", "Who is asked for a response promptly sends a message.", "SMBD/A28: within 5 seconds");
constinit const Rule kGrantIsAdded =
    kStimulus.must("SMBD-3.1.5.8-13", "CreditsGranted is added to the credits to send.", "SMBD/A38");
constinit const Rule kGrantRestartsQueue = kStimulus.must("SMBD-3.1.5.8-14", "What waits for credits is sent then.");
constinit const Rule kDataIsAppended =
    kStimulus.must("SMBD-3.1.5.8-15", "The payload is put behind what was received before.", "SMBD/A18");
constinit const Rule kRemainingIsCounted =
    kStimulus.must("SMBD-3.1.5.8-16", "What remains is taken from the first fragment and lowered by each that follows.",
                   "SMBD/A15, SMBD/A16, SMBD/A17");
constinit const Rule kEarlyEndEnds = kStimulus.must(
    "SMBD-3.1.5.8-17", "A RemainingDataLength of zero although something remains ends the connection.", "SMBD/A13");
constinit const Rule kInvalidatedTokenKept =
    kApi.must("SMBD-3.1.5.8-18", "A token that the provider has invalidated on receipt is remembered.",
              "the upper layer sees it");
constinit const Rule kInvalidatedTokenPassed =
    kApi.must("SMBD-3.1.5.8-19", "It is passed to the upper layer with the whole message.", "the upper layer sees it");
constinit const Rule kInvalidatedTokenCleared =
    kApi.must("SMBD-3.1.5.8-20", "It is passed once.", "the upper layer sees it");
constinit const Rule kMessageIsPassed =
    kStimulus.must("SMBD-3.1.5.8-21", "The whole message is passed to the upper layer.", "an echo shows it");
constinit const Rule kReassemblyCleared =
    kStimulus.must("SMBD-3.1.5.8-22", "The next message begins with an empty buffer.", "an echo shows it");
constinit const Rule kLatestTokenCounts =
    kApi.must("SMBD-3.1.5.8-23", "A token invalidated later takes the place of one before.", "the upper layer sees it");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kDataIsAppended, {receives_small}, {.who = wirelaw::Role::responder}),
    broken_by(kFlagIsImmediate, {hangs_on_bad_message, hangs_on_odd_message}),
    broken_by(kNothingAfterEnd, {lengths_signed}), broken_by(kDataBeyondMessageEnds, {lengths_signed}),
    broken_by(kTooMuchFragmentedEnds, {lengths_signed}),
    broken_by(kShortDataEnds, {accepts_short_message, ignores_bad_messages, hangs_on_bad_message}),
    broken_by(kZeroRequestedEnds, {accepts_no_credits, ignores_bad_messages, hangs_on_bad_message}),
    broken_by(kUnalignedEnds, {accepts_unaligned_data, ignores_bad_messages, hangs_on_bad_message}),
    broken_by(kNothingAfterEnd,
              {accepts_no_credits, accepts_unaligned_data, accepts_data_beyond, offset_not_checked, accepts_early_end}),
    broken_by(kDataBeyondMessageEnds,
              {accepts_data_beyond, wraps_on_receipt, offset_not_checked, ignores_bad_messages, hangs_on_bad_message}),
    broken_by(kTooMuchFragmentedEnds,
              {request_fragmented_size_low, request_big_endian, response_fragmented_size_low, response_big_endian,
               wraps_on_receipt, accepts_too_much_announced, ignores_bad_messages, hangs_on_bad_message}),
    broken_by(kReceiptSpendsCredit, kGrantsWithoutReceives),
    broken_by(kReceiptSpendsCredit, {negotiates_again}, {.who = wirelaw::Role::initiator}),
    broken_by(kReceiptSpendsCredit, {grants_nothing, ignores_granted_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kGrantsPromptly, kGrantsWithoutReceives), broken_by(kGrantsPromptly, {flag_without_cause}),
    broken_by(kGrantsPromptly, {negotiates_again}, {.who = wirelaw::Role::initiator}),
    broken_by(kGrantsPromptly, {grants_nothing, ignores_granted_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kTargetTaken, kMessagesAltered),
    broken_by(kTargetTaken, {delivers_nothing, ignores_requested_credits, grant_replaces_credits}),
    broken_by(
        kTargetTaken,
        {data_big_endian, empty_length_set, data_offset_beyond, data_sum_wraps, remaining_at_end, negotiates_again},
        {.who = wirelaw::Role::responder}),
    broken_by(kFlagSetsPending, {refuses_empty_messages, keepalive_unanswered}),
    broken_by(kFlagSetsPending, {ignores_granted_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kFlagIsImmediate, kMessagesAltered),
    broken_by(kFlagIsImmediate,
              {data_short, delivers_nothing, refuses_empty_messages, keepalive_unanswered, keepalive_answered_often}),
    broken_by(kFlagIsImmediate,
              {data_big_endian, data_offset_beyond, data_sum_wraps, remaining_at_end, negotiates_again,
               ignores_granted_credits},
              {.who = wirelaw::Role::responder}),
    broken_by(kGrantIsAdded, {data_before_response, refuses_empty_messages, grant_replaces_credits}),
    broken_by(kGrantIsAdded, {remaining_zero_early}, {.who = wirelaw::Role::initiator}),
    broken_by(kGrantRestartsQueue,
              {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond, data_sum_wraps,
               data_length_short, remaining_at_end, remaining_zero_early, fragment_repeated, fragment_missing,
               data_before_response, refuses_empty_messages, ignores_granted_credits, queue_not_restarted}),
    broken_by(kGrantRestartsQueue,
              {data_altered, last_message_first, negotiates_again, delivers_nothing, begins_with_fragments},
              {.who = wirelaw::Role::responder}),
    broken_by(kDataIsAppended,
              {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond, data_sum_wraps,
               data_altered, data_before_response, refuses_unusual_offset, refuses_trailing_data, ignores_bad_messages,
               hangs_on_bad_message, delivers_fragments, delivers_nothing, takes_data_from_24, fragments_left_behind,
               refuses_empty_messages, hangs_on_odd_message, grant_replaces_credits, begins_with_fragments}),
    broken_by(kDataIsAppended, {empty_length_set, data_length_short, remaining_at_end, negotiates_again},
              {.who = wirelaw::Role::responder}),
    broken_by(kRemainingIsCounted, {delivers_fragments, grant_replaces_credits}),
    broken_by(kRemainingIsCounted, {empty_length_set}, {.who = wirelaw::Role::responder}),
    broken_by(kEarlyEndEnds, {accepts_early_end, ignores_bad_messages, hangs_on_bad_message}),
    broken_by(kInvalidatedTokenKept, {delivers_fragments, invalidation_not_reported, descriptor_token_wrong}),
    broken_by(kInvalidatedTokenKept, {refuses_empty_messages}, {.who = wirelaw::Role::responder}),
    broken_by(kInvalidatedTokenPassed, {delivers_fragments, invalidation_not_reported, descriptor_token_wrong}),
    broken_by(kInvalidatedTokenCleared, {invalidation_reported_twice}),
    broken_by(kLatestTokenCounts,
              {delivers_fragments, invalidation_not_reported, descriptor_token_wrong, first_token_kept}),
    broken_by(kInvalidatedTokenPassed, {refuses_empty_messages}, {.who = wirelaw::Role::responder}),
    broken_by(kLatestTokenCounts, {refuses_empty_messages}, {.who = wirelaw::Role::responder}),
    broken_by(kMessageIsPassed, {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond,
                                 data_sum_wraps, data_altered, data_before_response, ignores_bad_messages,
                                 hangs_on_bad_message, delivers_fragments, delivers_nothing, fragments_left_behind,
                                 hangs_on_odd_message, grant_replaces_credits, begins_with_fragments}),
    broken_by(kMessageIsPassed, {empty_length_set, data_length_short, remaining_at_end, negotiates_again},
              {.who = wirelaw::Role::responder}),
    broken_by(kReassemblyCleared, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kReassemblyCleared, {fragments_left_behind}));

}  // namespace

SectionRules receiving_data_rules() {
  static constexpr const Rule* kRules[] = {
      &kShortDataEnds,         &kZeroRequestedEnds,     &kUnalignedEnds,          &kNothingAfterEnd,
      &kDataBeyondMessageEnds, &kTooMuchFragmentedEnds, &kReceiptSpendsCredit,    &kGrantsPromptly,
      &kTargetTaken,           &kFlagSetsPending,       &kFlagIsImmediate,        &kFlagIsAnswered,
      &kGrantIsAdded,          &kGrantRestartsQueue,    &kDataIsAppended,         &kRemainingIsCounted,
      &kEarlyEndEnds,          &kInvalidatedTokenKept,  &kInvalidatedTokenPassed, &kInvalidatedTokenCleared,
      &kMessageIsPassed,       &kReassemblyCleared,     &kLatestTokenCounts};
  return {.rules = kRules, .breaches = kBreaches};
}

}  // namespace wirelaw::smbd
