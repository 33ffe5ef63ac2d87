// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.2: an upper layer sends.
#include "conformance/section.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.4.2"};
constexpr Section kApi = kSection.by(Observable::api);
constexpr Section kStimulus = kSection.by(Observable::stimulus);

}  // namespace

constinit const Rule kLengthDetermined =
    kApi.must("SMBD-3.1.4.2-1", "The length of a message is compared with MaxFragmentedSendSize before it is sent.",
              "the upper layer sees it; on the wire: SMBD-3.1.5.4-2");
constinit const Rule kTooLongNotSent =
    kStimulus.must("SMBD-3.1.4.2-2", "No part of a message that is too long is sent.", "in a trace: SMBD-3.1.5.4-2");
constinit const Rule kTooLongIsError =
    kApi.must("SMBD-3.1.4.2-3", "A message that is too long gives an error.", "the upper layer sees it");
constinit const Rule kFragmentsInOrder =
    kStimulus.must("SMBD-3.1.4.2-4", "The fragments of a message are sent one after another, in their order.",
                   "in a trace: SMBD-3.1.5.4-17 and -23");
constinit const Rule kSendFailureEnds =
    kStimulus.must("SMBD-3.1.4.2-5", "A Send that fails ends the connection.", "SMBD/A46");
constinit const Rule kSendResultReturned = kApi.must(
    "SMBD-3.1.4.2-6", "What the provider said of the Send is passed to the upper layer.", "the upper layer sees it");
constinit const Rule kTokenPassedOn =
    kApi.must("SMBD-3.1.4.2-7", "A token that the upper layer gives with a message is invalidated at the peer.",
              "needs an upper layer that gives one");

namespace {

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kLengthDetermined, {message_above_fragmented_size}),
                 broken_by(kTooLongNotSent, {data_offset_in_header, data_offset_zero, message_above_fragmented_size,
                                             request_twice, data_before_response, response_twice, negotiates_again}),
                 broken_by(kTooLongIsError, {message_above_fragmented_size}),
                 broken_by(kFragmentsInOrder, {data_altered, fragments_swapped}),
                 broken_by(kFragmentsInOrder, {receives_small, delivers_fragments, begins_with_fragments},
                           {.who = wirelaw::Role::initiator}),
                 broken_by(kSendFailureEnds, {endpoint_left_open}), broken_by(kSendResultReturned, {send_result_lost}),
                 broken_by(kSendResultReturned, {refuses_empty_messages, ignores_granted_credits, queue_not_restarted},
                           {.who = wirelaw::Role::responder}),
                 broken_by(kTokenPassedOn, {segment_above_receive_size, request_twice, data_before_response,
                                            invalidates_nothing, invalidates_other_token}),
                 broken_by(kTokenPassedOn, {negotiates_again}, {.who = wirelaw::Role::initiator}),
                 broken_by(kTokenPassedOn, {refuses_empty_messages, ignores_granted_credits, queue_not_restarted},
                           {.who = wirelaw::Role::responder}));

}  // namespace

SectionRules send_rules() {
  static constexpr const Rule* kRules[] = {&kLengthDetermined, &kTooLongNotSent,  &kTooLongIsError,
                                           &kFragmentsInOrder, &kSendFailureEnds, &kSendResultReturned,
                                           &kTokenPassedOn};
  return {.rules = kRules, .breaches = kBreaches};
}

}  // namespace wirelaw::smbd
