// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.6: the timers of a connection, 3.1.6.1 and 3.1.6.2.
#include "conformance/section.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kNegotiation{"[MS-SMBD] 3.1.6.1"};
constexpr Section kListenerByAbsence = kNegotiation.of(wirelaw::Role::responder).resting_on(Evidence::absence);
constexpr Section kInitiatorStimulus = kNegotiation.of(wirelaw::Role::initiator).by(Observable::stimulus);
constexpr Section kNegotiationApi = kNegotiation.by(Observable::api);
constexpr Section kIdle{"[MS-SMBD] 3.1.6.2"};
constexpr Section kIdleApi = kIdle.by(Observable::api);
constexpr Section kStimulus = kIdle.by(Observable::stimulus);

}  // namespace

constinit const Rule kListenerGivesUp = kListenerByAbsence.should(
    "SMBD-3.1.6-1",
    "A listener that gets no Negotiate Request ends the connection when its timer of 5 seconds is over.",
    "3.1.6.1, 3.1.7.2; SMBD/A28");
constinit const Rule kInitiatorGivesUp = kInitiatorStimulus.should(
    "SMBD-3.1.6-2",
    "An initiator that gets no Negotiate Response ends the connection when its timer of 120 seconds is over.",
    "3.1.6.1, 3.1.4.1");
constinit const Rule kTimeoutIsLoss = kNegotiationApi.must(
    "SMBD-3.1.6-3", "The end by the Negotiation Timer is made known as the loss of the connection.",
    "the upper layer sees it");
constinit const Rule kIdleLooks =
    kStimulus.should("SMBD-3.1.6-4", "When the idle timer is over, a keep-alive that was not answered is looked for.");
constinit const Rule kIdleEnds =
    kStimulus.should("SMBD-3.1.6-5", "If there is one, the connection is ended.", "SMBD/A30");
constinit const Rule kIdleIsLoss =
    kIdleApi.must("SMBD-3.1.6-6", "The end by the idle timer is made known as the loss of the connection.",
                  "the upper layer sees it");
constinit const Rule kIdleSetsPending = kStimulus.should("SMBD-3.1.6-7", "If there is none, one is pending now.");
constinit const Rule kIdleSends =
    kStimulus.should("SMBD-3.1.6-8", "A message with SMB_DIRECT_RESPONSE_REQUESTED is sent then.");
constinit const Rule kIdleMessageMayBeEmpty = kStimulus.may("SMBD-3.1.6-9", "It may be an empty message.");

namespace {

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kListenerGivesUp, {negotiation_never_times_out}),
                 broken_by(kInitiatorGivesUp, {request_twice, data_before_response, negotiation_never_times_out}),
                 broken_by(kTimeoutIsLoss, {loss_not_reported}, {.who = wirelaw::Role::responder}),
                 broken_by(kIdleLooks, {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages,
                                        keepalive_not_sent, keepalive_without_flag, keepalive_never_gives_up}),
                 broken_by(kIdleLooks, {ignores_granted_credits}, {.who = wirelaw::Role::responder}),
                 broken_by(kIdleEnds, {keepalive_never_gives_up}), broken_by(kIdleIsLoss, {loss_not_reported}),
                 broken_by(kIdleSetsPending, {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages,
                                              keepalive_not_sent, keepalive_without_flag}),
                 broken_by(kIdleSetsPending, {ignores_granted_credits}, {.who = wirelaw::Role::responder}),
                 broken_by(kIdleSends, {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages,
                                        keepalive_not_sent, keepalive_without_flag}),
                 broken_by(kIdleSends, {ignores_granted_credits}, {.who = wirelaw::Role::responder}),
                 broken_by(kIdleMessageMayBeEmpty, {refuses_empty_messages, keepalive_unanswered}),
                 broken_by(kIdleMessageMayBeEmpty, {ignores_granted_credits}, {.who = wirelaw::Role::responder}));

}  // namespace

SectionRules timer_event_rules() {
  static constexpr const Rule* kRules[] = {&kListenerGivesUp, &kInitiatorGivesUp, &kTimeoutIsLoss,
                                           &kIdleLooks,       &kIdleEnds,         &kIdleIsLoss,
                                           &kIdleSetsPending, &kIdleSends,        &kIdleMessageMayBeEmpty};
  return {.rules = kRules, .breaches = kBreaches};
}

}  // namespace wirelaw::smbd
