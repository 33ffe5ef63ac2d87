// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.2: the two timers of a connection.
#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kStimulus = Section{"[MS-SMBD] 3.1.2"}.by(Observable::stimulus);

}  // namespace

constinit const Rule kNegotiationIsTimed =
    kStimulus.must("SMBD-3.1.2-1", "The time for connecting and negotiating is limited.");
constinit const Rule kFailureOfNegotiationDisconnects =
    kStimulus.must("SMBD-3.1.2-2", "Where that time is over, the connection is ended and the request has failed.");
constinit const Rule kIdleIsTimed =
    kStimulus.must("SMBD-3.1.2-3", "The time without a message from the peer is limited.",
                   "the default is 120 seconds, which a case may have to wait for");
constinit const Rule kIdleAsks =
    kStimulus.must("SMBD-3.1.2-4", "When that time is over, a message with SMB_DIRECT_RESPONSE_REQUESTED is sent.");
constinit const Rule kUnansweredMayEnd = kStimulus.may(
    "SMBD-3.1.2-5", "Where no message answers it, the connection may be ended.", "SMBD/A30: a SHOULD in 3.1.6.2");
constinit const Rule kReceivingRestarts =
    kStimulus.must("SMBD-3.1.2-6", "Receiving restarts the idle timer; sending does not.", "SMBD/A36");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kNegotiationIsTimed, {request_twice, data_before_response, negotiation_never_times_out},
              {.severity = Severity::warning}),
    broken_by(kFailureOfNegotiationDisconnects, kNoMessageArrives),
    broken_by(kFailureOfNegotiationDisconnects,
              {response_short, response_status_not_zero, response_twice, response_missing, response_behind_data}),
    broken_by(kFailureOfNegotiationDisconnects, {request_twice, data_before_response, negotiation_never_times_out},
              {.severity = Severity::warning}),
    broken_by(kFailureOfNegotiationDisconnects, {remaining_at_end, negotiates_again, ignores_granted_credits},
              {.who = wirelaw::Role::responder}),
    broken_by(kIdleIsTimed, {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, keepalive_not_sent,
                             keepalive_without_flag}),
    broken_by(kIdleIsTimed, {ignores_granted_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kIdleAsks, {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, keepalive_not_sent,
                          keepalive_without_flag}),
    broken_by(kIdleAsks, {ignores_granted_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kUnansweredMayEnd, {keepalive_never_gives_up}, {.severity = Severity::warning}),
    broken_by(kReceivingRestarts, {negotiation_timer_not_stopped, refuses_empty_messages, idle_timer_not_restarted}));

}  // namespace

SectionRules timer_rules() {
  static constexpr const Rule* kRules[] = {&kNegotiationIsTimed, &kFailureOfNegotiationDisconnects,
                                           &kIdleIsTimed,        &kIdleAsks,
                                           &kUnansweredMayEnd,   &kReceivingRestarts};
  return {.rules = kRules, .breaches = kBreaches};
}

}  // namespace wirelaw::smbd
