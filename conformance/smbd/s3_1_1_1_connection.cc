// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.1.1: what is kept of a connection. It binds by what others see of it alone (3.1.1).
#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.1.1"};
constexpr Section kStimulus = kSection.by(Observable::stimulus);
constexpr Section kApi = kSection.by(Observable::api);

}  // namespace

constinit const Rule kRoleOfThree = kStimulus.must(
    "SMBD-3.1.1.1-1", "Connection.Role is ACTIVE, PASSIVE or ESTABLISHED: it decides what message is expected.");
constinit const Rule kQueueIsFifo =
    kStimulus.must("SMBD-3.1.1.1-2", "What waits for credits is sent in the order in which it was given.");
constinit const Rule kQueueKeepsToken =
    kApi.must("SMBD-3.1.1.1-3", "A message that waits keeps the token that is to be invalidated with it.",
              "needs an upper layer that has a message with a token wait");
constinit const Rule kKeepaliveOfThree =
    kStimulus.must("SMBD-3.1.1.1-4", "Connection.KeepaliveRequested is NONE, PENDING or SENT.");
constinit const Rule kLimitsArePerConnection =
    kStimulus.must("SMBD-3.1.1.1-5", "Sizes and credits belong to one connection; another one has its own.");
constinit const Rule kSizesForLife =
    kStimulus.must("SMBD-3.1.1.1-6", "What was negotiated holds for the life of the connection.", "1.7");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kRoleOfThree, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kRoleOfThree, {request_twice, accepts_failure_status, bad_negotiation_ignored, ignores_bad_messages,
                             hangs_on_bad_message}),
    broken_by(kQueueIsFifo, {data_before_response}, {.who = wirelaw::Role::initiator, .severity = Severity::warning}),
    broken_by(kQueueIsFifo, kMessagesAltered), broken_by(kQueueIsFifo, {last_message_first}),
    broken_by(kQueueIsFifo, {last_message_first}, {.severity = Severity::warning}),
    broken_by(kQueueIsFifo,
              {data_big_endian, data_offset_beyond, data_sum_wraps, remaining_at_end, negotiates_again,
               delivers_nothing, refuses_empty_messages, ignores_granted_credits, queue_not_restarted},
              {.who = wirelaw::Role::responder}),
    broken_by(kQueueKeepsToken, {invalidates_nothing}), broken_by(kKeepaliveOfThree, {flag_without_cause}),
    broken_by(kLimitsArePerConnection, {segment_above_receive_size}),
    broken_by(kLimitsArePerConnection, kNoMessageArrives, {.who = wirelaw::Role::initiator}),
    broken_by(kSizesForLife, {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond,
                              data_sum_wraps, data_length_short, remaining_at_end, fragment_repeated, fragment_missing,
                              segment_above_receive_size, request_twice}),
    broken_by(kSizesForLife, {data_length_beyond, negotiates_again}, {.who = wirelaw::Role::initiator}),
    broken_by(kSizesForLife, {begins_with_fragments}, {.who = wirelaw::Role::responder}));

}  // namespace

SectionRules connection_rules() {
  static constexpr const Rule* kRules[] = {
      &kRoleOfThree, &kQueueIsFifo, &kQueueKeepsToken, &kKeepaliveOfThree, &kLimitsArePerConnection, &kSizesForLife};
  return {.rules = kRules, .breaches = kBreaches};
}

}  // namespace wirelaw::smbd
