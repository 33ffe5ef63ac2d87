// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.1: sending by credits. A credit is spent by a Data Transfer message; what is granted counts
// from when it passes the place of the capture.
#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.5.1"};
constexpr Section kInitiatorByAbsence = kSection.of(wirelaw::Role::initiator).resting_on(Evidence::absence);
constexpr Section kStimulus = kSection.by(Observable::stimulus);
constexpr Section kAnyByAbsence = kSection.resting_on(Evidence::absence);
constexpr Section kApi = kSection.by(Observable::api);

}  // namespace

constinit const Rule kOnlyEstablished = kInitiatorByAbsence.must(
    "SMBD-3.1.5.1-1", "No Data Transfer message is sent before the Negotiate Response has come.",
    "S-11 and rule 12 of the error-prone ones");
constinit const Rule kAppendsNew = kStimulus.must("SMBD-3.1.5.1-2", "New messages go behind those that wait.");
constinit const Rule kNoCreditNoSend = kAnyByAbsence.must(
    "SMBD-3.1.5.1-3", "Nothing is sent without a send credit.",
    "the credits of a sender are those granted before its message passed the capture: never fewer than it has itself");
constinit const Rule kImmediateMakesMessage = kStimulus.must(
    "SMBD-3.1.5.1-4", "Where something is to be sent at once and nothing waits, an empty message is made.");
constinit const Rule kGrantsBeforeSending = kStimulus.must(
    "SMBD-3.1.5.1-5", "Before a message is sent, credits are granted with it where any can be.", "SMBD/A12");
constinit const Rule kLastCreditGrants = kAnyByAbsence.must(
    "SMBD-3.1.5.1-6", "The last send credit is spent only by a message that grants credits.",
    "SMBD/A11: \"stop processing\" is read as a MUST; Linux spends it while its peer still has credits");
constinit const Rule kSpentOnce = kStimulus.must("SMBD-3.1.5.1-7", "Each message spends one credit.");
constinit const Rule kFirstIsTaken =
    kStimulus.must("SMBD-3.1.5.1-8", "The message that has waited longest is sent first.");
constinit const Rule kRequestsTarget =
    kStimulus.must("SMBD-3.1.5.1-9", "CreditsRequested is SendCreditTarget.",
                   "SMBD/A37: a local value; that it is not zero is judged by SMBD-2.2.3-3");
constinit const Rule kPendingSetsFlag =
    kStimulus.must("SMBD-3.1.5.1-10", "Where a keep-alive is pending, the next message asks for a response.");
constinit const Rule kFlagSentOnce =
    kAnyByAbsence.must("SMBD-3.1.5.1-11", "It asks once: then the keep-alive counts as sent.",
                       "SMBD/A4; to ask again, it must have received something since");
constinit const Rule kKeepaliveShortensTimer = kStimulus.should(
    "SMBD-3.1.5.1-12", "The idle timer is set to a time of the implementation's own then.", "SMBD/A29: 5 seconds");
constinit const Rule kElseNoFlag = kStimulus.must("SMBD-3.1.5.1-13", "Where no keep-alive is pending, Flags is zero.",
                                                  "SMBD/A4: an answer with the flag is not judged");
constinit const Rule kTokenToProvider =
    kApi.should("SMBD-3.1.5.1-14", "A token to be invalidated is given to the provider with the Send.",
                "needs an upper layer that gives one");
constinit const Rule kTokenMayBeIgnored =
    kApi.may("SMBD-3.1.5.1-15", "A provider that cannot invalidate remotely may leave it.",
             "needs an upper layer that gives one");
constinit const Rule kSends = kStimulus.must("SMBD-3.1.5.1-16", "The message is sent.");
constinit const Rule kSendingClearsImmediate =
    kStimulus.must("SMBD-3.1.5.1-17", "Once something was sent, nothing is to be sent at once any more.");
constinit const Rule kDefersWithoutCredit =
    kStimulus.must("SMBD-3.1.5.1-18", "What cannot be sent for lack of credits waits, and goes out when credits come.");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kSends, {receives_small}, {.who = wirelaw::Role::responder}),
    broken_by(kSends, {fragment_missing}, {.who = wirelaw::Role::initiator}),
    broken_by(kDefersWithoutCredit, {fragment_missing}, {.who = wirelaw::Role::initiator}),
    broken_by(kSpentOnce, {fragment_missing}, {.who = wirelaw::Role::initiator}),
    broken_by(kDefersWithoutCredit, {ignores_granted_credits, keepalive_unanswered}, {.who = wirelaw::Role::responder}),
    broken_by(
        kTokenToProvider,
        {segment_above_receive_size, request_twice, data_before_response, invalidates_nothing, invalidates_other_token},
        {.severity = Severity::warning}),
    broken_by(kTokenToProvider, {negotiates_again}, {.who = wirelaw::Role::initiator, .severity = Severity::warning}),
    broken_by(kTokenToProvider, {refuses_empty_messages, ignores_granted_credits, queue_not_restarted},
              {.who = wirelaw::Role::responder, .severity = Severity::warning}),
    broken_by(kOnlyEstablished, {data_before_response}),
    broken_by(kAppendsNew, {data_before_response}, {.who = wirelaw::Role::initiator, .severity = Severity::warning}),
    broken_by(kAppendsNew, kMessagesAltered), broken_by(kAppendsNew, {last_message_first}),
    broken_by(kAppendsNew, {last_message_first}, {.severity = Severity::warning}),
    broken_by(kAppendsNew,
              {data_big_endian, data_offset_beyond, data_sum_wraps, remaining_at_end, negotiates_again,
               delivers_nothing, refuses_empty_messages, ignores_granted_credits, queue_not_restarted},
              {.who = wirelaw::Role::responder}),
    broken_by(kNoCreditNoSend, {spends_without_credit}),
    broken_by(kImmediateMakesMessage, {refuses_empty_messages, keepalive_unanswered}),
    broken_by(kImmediateMakesMessage, {ignores_granted_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kGrantsBeforeSending, kGrantsWithoutReceives),
    broken_by(kGrantsBeforeSending, {negotiates_again}, {.who = wirelaw::Role::initiator}),
    broken_by(kGrantsBeforeSending, {grants_nothing, ignores_granted_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kLastCreditGrants, {last_credit_without_grant, spends_without_credit}),
    broken_by(kLastCreditGrants, {fragments_swapped}, {.who = wirelaw::Role::responder}),
    broken_by(kSpentOnce, kNoMessageArrives),
    broken_by(kSpentOnce,
              {response_credits_granted_unposted, response_big_endian, fragments_swapped, fragment_repeated,
               spends_without_credit, grants_unposted, grant_is_total, request_twice, data_before_response,
               response_twice, negotiates_again, delivers_fragments, fragments_left_behind, grant_replaces_credits}),
    broken_by(kSpentOnce,
              {empty_length_set, remaining_at_end, remaining_zero_early, fragment_missing, refuses_empty_messages},
              {.who = wirelaw::Role::responder}),
    broken_by(kFirstIsTaken, {data_before_response}, {.who = wirelaw::Role::initiator, .severity = Severity::warning}),
    broken_by(kFirstIsTaken, kMessagesAltered), broken_by(kFirstIsTaken, {last_message_first}),
    broken_by(kFirstIsTaken, {last_message_first}, {.severity = Severity::warning}),
    broken_by(kFirstIsTaken,
              {data_big_endian, data_offset_beyond, data_sum_wraps, remaining_at_end, negotiates_again,
               delivers_nothing, refuses_empty_messages, ignores_granted_credits, queue_not_restarted},
              {.who = wirelaw::Role::responder}),
    broken_by(kRequestsTarget, kMessagesAltered), broken_by(kRequestsTarget, {delivers_nothing}),
    broken_by(kRequestsTarget, {credits_requested_zero, requests_what_is_missing}, {.severity = Severity::warning}),
    broken_by(kRequestsTarget,
              {data_big_endian, data_offset_beyond, data_sum_wraps, remaining_at_end, negotiates_again},
              {.who = wirelaw::Role::responder}),
    broken_by(kPendingSetsFlag, {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages,
                                 keepalive_not_sent, keepalive_without_flag}),
    broken_by(kPendingSetsFlag, {ignores_granted_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kFlagSentOnce, {keepalive_never_gives_up, keepalive_repeated, flag_without_cause}),
    broken_by(kFlagSentOnce, {flag_without_cause}, {.severity = Severity::warning}),
    broken_by(kFlagSentOnce, {keepalive_never_gives_up, keepalive_repeated},
              {.who = wirelaw::Role::initiator, .severity = Severity::warning}),
    broken_by(kKeepaliveShortensTimer, {keepalive_never_gives_up}, {.severity = Severity::warning}),
    broken_by(kElseNoFlag, {flag_without_cause}), broken_by(kSends, kNoMessageArrives),
    broken_by(kSends,
              {response_credits_granted_unposted, response_big_endian, fragments_swapped, fragment_repeated,
               grants_unposted, grant_is_total, request_twice, data_before_response, response_twice, negotiates_again,
               delivers_fragments, fragments_left_behind, refuses_empty_messages, grant_replaces_credits}),
    broken_by(kSends,
              {empty_length_set, remaining_at_end, remaining_zero_early, fragment_missing, ignores_granted_credits},
              {.who = wirelaw::Role::responder}),
    broken_by(kSendingClearsImmediate, kMessagesAltered),
    broken_by(kSendingClearsImmediate,
              {data_short, delivers_nothing, refuses_empty_messages, keepalive_unanswered, keepalive_answered_often}),
    broken_by(kSendingClearsImmediate,
              {data_big_endian, data_offset_beyond, data_sum_wraps, remaining_at_end, negotiates_again,
               ignores_granted_credits},
              {.who = wirelaw::Role::responder}),
    broken_by(kDefersWithoutCredit, kNoMessageArrives),
    broken_by(kDefersWithoutCredit,
              {response_credits_granted_unposted, response_big_endian, remaining_zero_early, fragments_swapped,
               fragment_repeated, spends_without_credit, grants_unposted, grant_is_total, request_twice,
               data_before_response, response_twice, negotiates_again, delivers_fragments, fragments_left_behind,
               refuses_empty_messages, grant_replaces_credits, queue_not_restarted}),
    broken_by(kDefersWithoutCredit, {ignores_granted_credits}, {.who = wirelaw::Role::initiator}),
    broken_by(kDefersWithoutCredit, {empty_length_set, remaining_at_end, fragment_missing},
              {.who = wirelaw::Role::responder}));

}  // namespace

SectionRules sending_rules() {
  static constexpr const Rule* kRules[] = {&kOnlyEstablished,
                                           &kAppendsNew,
                                           &kNoCreditNoSend,
                                           &kImmediateMakesMessage,
                                           &kGrantsBeforeSending,
                                           &kLastCreditGrants,
                                           &kSpentOnce,
                                           &kFirstIsTaken,
                                           &kRequestsTarget,
                                           &kPendingSetsFlag,
                                           &kFlagSentOnce,
                                           &kKeepaliveShortensTimer,
                                           &kElseNoFlag,
                                           &kTokenToProvider,
                                           &kTokenMayBeIgnored,
                                           &kSends,
                                           &kSendingClearsImmediate,
                                           &kDefersWithoutCredit};
  return {.rules = kRules, .breaches = kBreaches};
}

void judge_only_established(Judge& judge, bool answered) {
  judge.require(kOnlyEstablished, answered, octets(0, judge.message().octets.size()),
                expected("a Negotiate Response before it"), actual("none"), "or the response was not captured");
}

void judge_send_credit(Judge& judge, const Seen& seen) {
  const Way& from = seen.from();
  if (!from.account_known) return;
  if (from.was_granted)
    judge.require(kNoCreditNoSend, from.credits > 0, octets(0, 0), expected("a credit of the receiver"),
                  actual("all of them are spent"), "or a message that grants some was not captured");
  if (from.credits != 1) return;
  judge.require(kLastCreditGrants, seen.data.credits_granted > 0, in_data(Field::credits_granted),
                expected("at least 1, as the sender spends its last credit"), actual(0),
                "where both sides do so, neither can send any more; or a grant was not captured (SMBD/A11)");
}

void judge_flag_once(Judge& judge, const Seen& seen) {
  const Way& from = seen.from();
  if (!from.account_known || !seen.data.requests_response()) return;
  const bool again = from.awaits_response;
  const auto judge_it = [&](auto how) {
    how(kFlagSentOnce, !again, in_data(Field::flags), expected("0: it has asked, and received nothing since"),
        actual(hex(seen.data.flags)));
  };
  if (again && !from.had_all_before)
    judge_it([&](auto&&... all) { judge.advise(all..., "or a message was on its way to it when it asked"); });
  else
    judge_it([&](auto&&... all) { judge.require(all..., "or a message of the other side was not captured"); });
}

}  // namespace wirelaw::smbd
