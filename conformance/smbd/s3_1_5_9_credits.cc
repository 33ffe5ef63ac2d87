// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.9: granting credits.
#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.5.9"};
constexpr Section kStimulus = kSection.by(Observable::stimulus);
constexpr Section kAnyByAbsence = kSection.resting_on(Evidence::absence);
constexpr Section kNotJudged = kSection.by(Observable::none);
constexpr Section kApi = kSection.by(Observable::api);

}  // namespace

constinit const Rule kCreditsManaged =
    kStimulus.must("SMBD-3.1.5.9-1", "Credits are looked after before each message.");
constinit const Rule kNoGrantAtTarget = kAnyByAbsence.should(
    "SMBD-3.1.5.9-2", "Where the peer has as many credits as it wants, none is granted.",
    "SMBD/A9, SMBD/A10: except by a message that spends a last credit; what may be on its way counts for the sender");
constinit const Rule kTargetMayFall =
    kNotJudged.may("SMBD-3.1.5.9-3", "The target may be lowered then.",
                   "a local value that is seen in nothing but smaller grants, which are free anyway");
constinit const Rule kPostsOfReceiveSize =
    kStimulus.must("SMBD-3.1.5.9-4", "What is granted can receive MaxReceiveSize octets each.");
constinit const Rule kPeerIsNotLeftDry =
    kAnyByAbsence.must("SMBD-3.1.5.9-5", "While the peer has no credit, a message grants one at least.",
                       "SMBD/A11; judged where the sender must have received the peer's latest message");
constinit const Rule kLastCreditPosts =
    kStimulus.must("SMBD-3.1.5.9-6", "A last credit with messages waiting has one receive posted at least.",
                   "SMBD/A10; in a trace: SMBD-3.1.5.1-6");
constinit const Rule kNothingPostedNothingSent = kApi.must(
    "SMBD-3.1.5.9-7", "Where none can be posted nothing is sent.", "needs a provider that is short of receives");
constinit const Rule kGrantWithinTarget =
    kAnyByAbsence.should("SMBD-3.1.5.9-8", "One message grants no more credits than the peer wants in all.", "SMBD/A9");
constinit const Rule kPostedIsCounted =
    kStimulus.must("SMBD-3.1.5.9-9", "Each receive that is posted counts as one credit.");
constinit const Rule kRaisesTowardsTarget =
    kStimulus.should("SMBD-3.1.5.9-10", "Below the target the sender tries to grant more.", "S-08");
constinit const Rule kGrantsAtLeast = kStimulus.must("SMBD-3.1.5.9-11", "It posts one receive at least when it does.");
constinit const Rule kWithinReceiveMax =
    kStimulus.must("SMBD-3.1.5.9-12", "It posts no more than ReceiveCreditMax.", "SMBD/A9; a local value");
constinit const Rule kReturnsWhatWasAdded =
    kStimulus.must("SMBD-3.1.5.9-13", "What is granted is what was posted: as many messages are taken.");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kLastCreditPosts, {fragment_missing}, {.severity = Severity::warning}),
    broken_by(kNoGrantAtTarget, {response_big_endian}, {.severity = Severity::warning}),
    broken_by(kCreditsManaged, kGrantsWithoutReceives),
    broken_by(kCreditsManaged, {negotiates_again}, {.who = wirelaw::Role::initiator}),
    broken_by(kCreditsManaged, {grants_nothing, ignores_granted_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kNoGrantAtTarget, {response_credits_granted_unposted, grants_unposted, grants_above_target,
                                 grants_at_target, grant_is_total}),
    broken_by(kNoGrantAtTarget,
              {response_credits_granted_unposted, grants_unposted, grants_above_target, grants_at_target,
               grant_is_total, request_twice},
              {.severity = Severity::warning}),
    broken_by(kNoGrantAtTarget, {fragment_missing, grant_replaces_credits}),
    broken_by(kNoGrantAtTarget, {data_big_endian, ignores_requested_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kNoGrantAtTarget, {negotiates_again}, {.who = wirelaw::Role::initiator, .severity = Severity::warning}),
    broken_by(kPostsOfReceiveSize, kNoMessageArrives),
    broken_by(kPostsOfReceiveSize,
              {fragments_swapped, fragment_repeated, fragment_missing, receives_small, data_before_response,
               response_twice, delivers_fragments, fragments_left_behind, ignores_granted_credits}),
    broken_by(kPostsOfReceiveSize, {remaining_at_end, remaining_zero_early, negotiates_again},
              {.who = wirelaw::Role::responder}),
    broken_by(kPeerIsNotLeftDry, {data_before_response, data_short}),
    broken_by(kPeerIsNotLeftDry, {grants_nothing, begins_with_a_message}, {.who = wirelaw::Role::responder}),
    broken_by(kPeerIsNotLeftDry, {fragments_swapped, fragment_without_data, grants_nothing, begins_with_a_message},
              {.who = wirelaw::Role::initiator}),
    broken_by(kLastCreditPosts, {spends_without_credit, data_before_response}),
    broken_by(kLastCreditPosts, {last_credit_without_grant}, {.who = wirelaw::Role::initiator}),
    broken_by(kGrantWithinTarget, {grants_unposted, grants_above_target, grant_is_total}),
    broken_by(kGrantWithinTarget,
              {response_credits_granted_unposted, grants_unposted, grants_above_target, ignores_requested_credits},
              {.severity = Severity::warning}),
    broken_by(kGrantWithinTarget, {data_big_endian}, {.who = wirelaw::Role::responder, .severity = Severity::warning}),
    broken_by(kGrantWithinTarget, {data_big_endian}, {.who = wirelaw::Role::responder}),
    broken_by(kPostedIsCounted, kGrantsWithoutReceives), broken_by(kPostedIsCounted, kMessagesAltered),
    broken_by(kPostedIsCounted, {grant_is_total, negotiates_again, delivers_nothing, grant_replaces_credits}),
    broken_by(kPostedIsCounted,
              {data_offset_beyond, data_sum_wraps, remaining_at_end, grants_nothing, ignores_granted_credits},
              {.who = wirelaw::Role::responder}),
    broken_by(kRaisesTowardsTarget, kGrantsWithoutReceives),
    broken_by(kRaisesTowardsTarget, {ignores_requested_credits}),
    broken_by(kRaisesTowardsTarget, {negotiates_again}, {.who = wirelaw::Role::initiator}),
    broken_by(kRaisesTowardsTarget, {grants_nothing, ignores_granted_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kGrantsAtLeast, kGrantsWithoutReceives),
    broken_by(kGrantsAtLeast, {negotiates_again}, {.who = wirelaw::Role::initiator}),
    broken_by(kGrantsAtLeast, {grants_nothing, ignores_granted_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kWithinReceiveMax, {response_twice}),
    broken_by(kWithinReceiveMax, kNoMessageArrives, {.who = wirelaw::Role::responder}),
    broken_by(kWithinReceiveMax, {remaining_at_end, negotiates_again, ignores_granted_credits},
              {.who = wirelaw::Role::responder}),
    broken_by(kReturnsWhatWasAdded, kGrantsWithoutReceives), broken_by(kReturnsWhatWasAdded, kMessagesAltered),
    broken_by(kReturnsWhatWasAdded, {grant_is_total, negotiates_again, delivers_nothing, grant_replaces_credits}),
    broken_by(kReturnsWhatWasAdded,
              {data_offset_beyond, data_sum_wraps, remaining_at_end, grants_nothing, ignores_granted_credits},
              {.who = wirelaw::Role::responder}));

}  // namespace

SectionRules credit_rules() {
  static constexpr const Rule* kRules[] = {
      &kCreditsManaged,  &kNoGrantAtTarget,          &kTargetMayFall,      &kPostsOfReceiveSize, &kPeerIsNotLeftDry,
      &kLastCreditPosts, &kNothingPostedNothingSent, &kGrantWithinTarget,  &kPostedIsCounted,    &kRaisesTowardsTarget,
      &kGrantsAtLeast,   &kWithinReceiveMax,         &kReturnsWhatWasAdded};
  return {.rules = kRules, .breaches = kBreaches};
}

void judge_grant_within_target(Judge& judge, const Way& from, const Way& to, std::uint16_t granted, OctetRange where) {
  const std::uint16_t target = from.receipts.target();
  if (!to.account_known || target == 0 || granted == 0) return;
  const auto most = [&] { return fmt::format("at most {}, which is what the receiver wants", target); };
  // SMBD/A9: where the receiver has none, a number without a limit may be posted.
  if (to.credits == 0)
    judge.advise(kGrantWithinTarget, granted <= target, where, expected(most), actual(granted),
                 "it had no credit, and got more than it wants");
  else
    judge.require(kGrantWithinTarget, granted <= target, where, expected(most), actual(granted),
                  "or a message that wants more was not captured");
}

void judge_grant(Judge& judge, const Seen& seen) {
  const Way& from = seen.from();
  const Way& to = seen.to();
  const std::uint16_t granted = seen.data.credits_granted;
  judge_grant_within_target(judge, from, to, granted, in_data(Field::credits_granted));
  const std::uint16_t target = from.receipts.target();
  if (!from.account_known || !to.account_known || target == 0) return;
  // What is on its way to the sender would raise the receiver's account. The sender has more than one credit: no last
  // credit explains a grant.
  if (to.credits >= target && from.receipts.credits_at_least() > 1)
    judge.require(kNoGrantAtTarget, granted == 0, in_data(Field::credits_granted), expected(0), actual(granted),
                  [&] { return fmt::format("the receiver has {} credits and wants {}", to.credits, target); });
  if (to.credits == 0 && from.credits != 1 && from.receipts.has_all())
    judge.require(kPeerIsNotLeftDry, granted > 0, in_data(Field::credits_granted), expected("at least 1"), actual(0),
                  "the receiver has no credit, unless a message that granted some was not captured");
}

}  // namespace wirelaw::smbd
