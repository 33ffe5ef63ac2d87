// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.5: what any received message does first.
#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.5.5"};
constexpr Section kListenerStimulus = kSection.of(wirelaw::Role::responder).by(Observable::stimulus);
constexpr Section kInitiatorStimulus = kSection.of(wirelaw::Role::initiator).by(Observable::stimulus);
constexpr Section kStimulus = kSection.by(Observable::stimulus);

}  // namespace

constinit const Rule kPassiveExpectsRequest = kListenerStimulus.must(
    "SMBD-3.1.5.5-1", "The listener takes its first message for a Negotiate Request, whatever it holds.");
constinit const Rule kActiveExpectsResponse = kInitiatorStimulus.must(
    "SMBD-3.1.5.5-2", "The initiator takes its first message for a Negotiate Response, whatever it holds.");
constinit const Rule kIdleRetriggered = kStimulus.must(
    "SMBD-3.1.5.5-3", "A message on an established connection restarts the idle timer with the keep-alive interval.",
    "SMBD/A36");
constinit const Rule kKeepaliveCleared = kStimulus.must(
    "SMBD-3.1.5.5-4", "It settles a keep-alive that is pending or sent.", "SMBD/A5: before its own flag is looked at");
constinit const Rule kEstablishedExpectsData =
    kStimulus.must("SMBD-3.1.5.5-5", "On an established connection every message is taken for a Data Transfer.");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kPassiveExpectsRequest, {bad_negotiation_ignored}),
    broken_by(kActiveExpectsResponse, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kActiveExpectsResponse, {request_twice, accepts_failure_status, bad_negotiation_ignored}),
    broken_by(kIdleRetriggered, kMessagesAltered),
    broken_by(kIdleRetriggered,
              {data_big_endian, negotiation_timer_not_stopped, delivers_nothing, refuses_empty_messages,
               keepalive_not_sent, keepalive_without_flag, idle_timer_not_restarted}),
    broken_by(kIdleRetriggered,
              {data_offset_beyond, data_sum_wraps, remaining_at_end, negotiates_again, ignores_granted_credits},
              {.who = wirelaw::Role::responder}),
    broken_by(kKeepaliveCleared, kMessagesAltered),
    broken_by(kKeepaliveCleared, {data_short, delivers_nothing, idle_timer_not_restarted}),
    broken_by(kKeepaliveCleared, {data_offset_beyond, data_sum_wraps, remaining_at_end, negotiates_again},
              {.who = wirelaw::Role::responder}),
    broken_by(kEstablishedExpectsData, {ignores_bad_messages, hangs_on_bad_message}));

}  // namespace

SectionRules receiving_rules() {
  static constexpr const Rule* kRules[] = {&kPassiveExpectsRequest, &kActiveExpectsResponse, &kIdleRetriggered,
                                           &kKeepaliveCleared, &kEstablishedExpectsData};
  return {.rules = kRules, .breaches = kBreaches};
}

}  // namespace wirelaw::smbd
