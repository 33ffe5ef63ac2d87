// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 9.1: how many Read Requests may be outstanding.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection = Section{"RFC 6581 9.1"}.by(Observable::api);
constexpr Section kInitiatorStimuli = kSection.of(wirelaw::Role::initiator).by(Observable::stimulus);
constexpr Section kInitiatorAtVerbs = kSection.of(wirelaw::Role::initiator);
constexpr Section kInitiatorNotJudged = kSection.of(wirelaw::Role::initiator).by(Observable::none);
constexpr Section kResponder = kSection.of(wirelaw::Role::responder).by(Observable::trace);
constexpr Section kResponderAtVerbs = kSection.of(wirelaw::Role::responder);

constinit const Rule kPassedToUlp = kSection.must("ECE-9.1-1", "The peer's IRD and ORD are passed to the ULP.",
                                                  "RDMAP/V-06: the events of librdmacm show it.");
constinit const Rule kResponderOrd =
    kResponder.must("ECE-9.1-2", "The responder's ORD is at most the initiator's IRD.",
                    "Of an accepting reply, save where IRD is 0x3FFF. An ORD of 0x3FFF is warned of: RDMAP/A-65.");
constinit const Rule kResponderIrd =
    kResponder.must("ECE-9.1-3", "The responder's IRD serves the initiator's ORD.",
                    "RDMAP/A-51: at least as large by the definition; yet the initiator has to come down to it, so a "
                    "smaller one is passed over, and one of 0 where Reads are wanted is warned of.");
constinit const Rule kInitiatorAdjusts = kInitiatorNotJudged.must(
    "ECE-9.1-4",
    "On an accepting reply the initiator's ORD becomes at most the responder's IRD, and its IRD at least the "
    "responder's ORD.",
    "What it has set shows in the Read Requests that are outstanding: judged with RFC 5040's Reads.");
constinit const Rule kInsufficientIrd = kInitiatorStimuli.must(
    "ECE-9.1-5",
    "An initiator without the resources for the responder's ORD sends a Terminate 2/0/06 and ends the connection.",
    "It may as well have the resources; then it goes on.");
constinit const Rule kRejectsWithOrd = kResponderAtVerbs.may(
    "ECE-9.1-6", "A responder whose ULP needs more than the initiator's IRD may reject and say how much it needs.",
    "What the ULP needs is known above MPA. The text has a Terminate 2/0/06 follow from it, for which a rejected "
    "connection has no FPDU: RDMAP/A-32.");
constinit const Rule kRepliesNoIrd =
    kResponder.must("ECE-9.1-8", "An initiator's ORD of 0x3FFF (no negotiation) is answered by an IRD of 0x3FFF.");
constinit const Rule kRepliesNoOrd =
    kResponder.must("ECE-9.1-9", "An initiator's IRD of 0x3FFF (no negotiation) is answered by an ORD of 0x3FFF.");
constinit const Rule kLeavesIrd = kResponderAtVerbs.must(
    "ECE-9.1-10",
    "The responder leaves its own IRD alone where the initiator's ORD is 0x3FFF, and its ORD where the IRD is.",
    "A value inside one implementation: the wire shows 0x3FFF (ECE-9.1-8, ECE-9.1-9).");
constinit const Rule kLeavesOrd = kInitiatorAtVerbs.must(
    "ECE-9.1-11",
    "The initiator leaves its own ORD alone where the responder's IRD is 0x3FFF, and its IRD where the ORD is.",
    "A value inside one implementation.");
constinit const Rule kRepliesPassedToUlp = kInitiatorAtVerbs.must(
    "ECE-9.1-12", "The responder's IRD and ORD are passed to the initiator's ULP, with a rejection too.",
    "RDMAP/V-06: the events of librdmacm show it.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr const Rule* kRules[] = {&kPassedToUlp,     &kResponderOrd,   &kResponderIrd,      &kInitiatorAdjusts,
                                  &kInsufficientIrd, &kRejectsWithOrd, &kRepliesNoIrd,      &kRepliesNoOrd,
                                  &kLeavesIrd,       &kLeavesOrd,      &kRepliesPassedToUlp};

constexpr Breach kBreaches[] = {
    {Deviation::depths_not_passed, kPassedToUlp, {.given = "verbs"}},
    {Deviation::enhanced_ord_above_ird, kResponderOrd},
    {Deviation::enhanced_ird_zero, kResponderIrd, {.severity = Severity::warning}},
    {Deviation::insufficient_ird_ignored, kInsufficientIrd, {.severity = Severity::warning}},
    {Deviation::goes_silent, kInsufficientIrd},
    {Deviation::enhanced_3fff_answered, kRepliesNoIrd},
    {Deviation::enhanced_3fff_answered, kRepliesNoOrd},
    {Deviation::depths_not_passed, kRepliesPassedToUlp, {.given = "verbs"}},
};

}  // namespace

SectionRules ece_9_1_rules() {
  return {kRules, kBreaches};
}

void judge_depths(Judge& judge, const mpa::EnhancedData& request, const mpa::EnhancedData& reply) {
  constexpr std::uint16_t kNone = mpa::kNoNegotiation;
  if (request.ord == kNone)
    judge.require(kRepliesNoIrd, reply.ird == kNone, field::kIrd, expected("0x3fff"), actual(hex(reply.ird)),
                  "the request leaves it to the ULP");
  else if (reply.ird != kNone)
    judge.advise(kResponderIrd, reply.ird > 0 || request.ord == 0, field::kIrd, expected("at least 1"),
                 actual(reply.ird), [&] { return fmt::format("the initiator's ORD is {}", request.ord); });
  if (request.ird == kNone)
    judge.require(kRepliesNoOrd, reply.ord == kNone, field::kOrd, expected("0x3fff"), actual(hex(reply.ord)),
                  "the request leaves it to the ULP");
  else if (reply.ord == kNone)
    judge.advise(kResponderOrd, false, field::kOrd, expected([&] { return fmt::format("at most {}", request.ird); }),
                 actual("0x3fff"), "the responder leaves it to the ULP, and the request does not");
  else
    judge.require(kResponderOrd, reply.ord <= request.ird, field::kOrd,
                  expected([&] { return fmt::format("at most {}", request.ird); }), actual(reply.ord),
                  "the initiator's IRD");
}

}  // namespace wirelaw::rdmap
