// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.7.2: a connection arrives at the listener.
#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.7.2"};
constexpr Section kListenerStimulus = kSection.of(wirelaw::Role::responder).by(Observable::stimulus);
constexpr Section kListenerApi = kSection.of(wirelaw::Role::responder).by(Observable::api);
constexpr Section kListenerByAbsence = kSection.of(wirelaw::Role::responder).resting_on(Evidence::absence);
constexpr Section kListenerNotJudged = kSection.of(wirelaw::Role::responder).by(Observable::none);

}  // namespace

constinit const Rule kArrivalNewConnection =
    kListenerStimulus.must("SMBD-3.1.7.2-1", "Each arrival makes a connection of its own.");
constinit const Rule kBeginsPassive =
    kListenerStimulus.must("SMBD-3.1.7.2-2", "The role is PASSIVE: a Negotiate Request is expected, and nothing else.");
constinit const Rule kListenersTimer =
    kListenerStimulus.must("SMBD-3.1.7.2-3", "The Negotiation Timer of the listener runs for 5 seconds.",
                           "SMBD/A43; in a trace: SMBD-3.1.6-1");
constinit const Rule kArrivalEndpoint = kListenerApi.must(
    "SMBD-3.1.7.2-4", "An endpoint of the RDMA provider is given to the connection.", "seen at the verbs");
constinit const Rule kArrivalAccepted =
    kListenerStimulus.must("SMBD-3.1.7.2-5", "The connection is accepted.", "SMBD/A46");
constinit const Rule kListenerBeginsWithoutCredits = kListenerByAbsence.must(
    "SMBD-3.1.7.2-6",
    "The listener begins without send credits: it sends no Data Transfer before the initiator's first grant.",
    "SMBD/A41");
constinit const Rule kListenerPostsReceive =
    kListenerStimulus.must("SMBD-3.1.7.2-7", "A receive of at least 512 octets is posted.",
                           "SMBD/A21: a request with octets behind it, up to 512, is taken");
constinit const Rule kNoReceiveEnds =
    kListenerApi.must("SMBD-3.1.7.2-8", "Where none can be posted the connection is ended.",
                      "needs a provider that is short of receives");
constinit const Rule kListenerDeterminesLimits = kListenerNotJudged.must(
    "SMBD-3.1.7.2-9", "Credits to grant and to ask for, sizes and keep-alive interval have their initial values.",
    "values of the listener's own; what the response says of them: SMBD-2.2.2-8 to -20");
constinit const Rule kListenerKeepaliveNone =
    kListenerStimulus.must("SMBD-3.1.7.2-10", "KeepaliveRequested begins as NONE.");
constinit const Rule kListenerProtocolZero = kListenerNotJudged.must(
    "SMBD-3.1.7.2-11", "Connection.Protocol begins as 0.", "a value that nothing reads before it is set");
constinit const Rule kListenerReceiveCreditsZero =
    kListenerStimulus.must("SMBD-3.1.7.2-12", "The listener begins with no credit granted to its peer.");
constinit const Rule kListenerQueueEmpty =
    kListenerStimulus.must("SMBD-3.1.7.2-13", "Nothing waits to be sent at the beginning.");
constinit const Rule kListenerReassemblyEmpty =
    kListenerStimulus.must("SMBD-3.1.7.2-14", "The reassembly buffer begins empty.");
constinit const Rule kArrivalNotified =
    kListenerApi.must("SMBD-3.1.7.2-15", "The upper layer is told of the new connection.", "the upper layer sees it");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kArrivalNewConnection, kNoMessageArrives),
    broken_by(kArrivalNewConnection, {remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}),
    broken_by(kBeginsPassive, {bad_negotiation_ignored}), broken_by(kListenersTimer, kNoMessageArrives),
    broken_by(kListenersTimer,
              {response_short, response_status_not_zero, remaining_at_end, response_twice, response_missing,
               response_behind_data, negotiates_again, negotiation_times_out_early, ignores_granted_credits}),
    broken_by(kListenersTimer, {negotiation_never_times_out}, {.severity = Severity::warning}),
    broken_by(kListenerBeginsWithoutCredits, {spends_without_credit}),
    broken_by(kListenerPostsReceive, {response_short, response_status_not_zero, response_missing, response_behind_data,
                                      refuses_trailing_octets, first_receive_small}),
    broken_by(kListenerKeepaliveNone, {flag_without_cause}),
    broken_by(kListenerReceiveCreditsZero,
              {response_credits_granted_zero, response_credits_granted_unposted, response_big_endian, data_short,
               grants_nothing, no_empty_grant, refuses_empty_messages, ignores_granted_credits}),
    broken_by(kListenerQueueEmpty, {begins_with_a_message}), broken_by(kListenerReassemblyEmpty, kNoMessageArrives),
    broken_by(kListenerReassemblyEmpty, {remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}),
    broken_by(kArrivalNotified, {arrival_not_reported}));

}  // namespace

SectionRules arrival_rules() {
  static constexpr const Rule* kRules[] = {
      &kArrivalNewConnection,  &kBeginsPassive,           &kListenersTimer,
      &kArrivalEndpoint,       &kArrivalAccepted,         &kListenerBeginsWithoutCredits,
      &kListenerPostsReceive,  &kNoReceiveEnds,           &kListenerDeterminesLimits,
      &kListenerKeepaliveNone, &kListenerProtocolZero,    &kListenerReceiveCreditsZero,
      &kListenerQueueEmpty,    &kListenerReassemblyEmpty, &kArrivalNotified};
  return {.rules = kRules, .breaches = kBreaches};
}

void judge_first_grant(Judge& judge, const Seen& seen) {
  const Way& from = seen.from();
  if (!from.account_known || from.role != wirelaw::Role::responder || from.transfers > 0) return;
  judge.require(kListenerBeginsWithoutCredits, from.was_granted, octets(0, 0),
                expected("a grant of the initiator before it"), actual("none"), "or that grant was not captured");
}

}  // namespace wirelaw::smbd
