// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 9.1: how many Read Requests may be outstanding.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/rdmap/mpa/rule_of.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 6581 9.1";

}  // namespace

namespace mpa_rule {

constinit const Rule kResponderOrd = seen_rule("ECE-9.1-2", Level::must, Role::responder, kSection,
                                               "The responder's ORD is at most the initiator's IRD.",
                                               "Of an accepting reply, save where IRD is 0x3FFF.");
constinit const Rule kResponderIrd = seen_rule(
    "ECE-9.1-3", Level::must, Role::responder, kSection, "The responder's IRD serves the initiator's ORD.",
    "A-51: at least as large by the definition; yet the initiator is told to come down to it, so a smaller one "
    "is passed over, and one of 0 where Reads are wanted is warned of.");
constinit const Rule kInsufficientIrd =
    asked_rule("ECE-9.1-5", Level::must, Role::initiator, kSection,
               "An initiator without the resources for the responder's ORD sends a Terminate 2/0/06 and ends the "
               "connection.",
               "It may as well have the resources; then it goes on.");
constinit const Rule kRepliesNoIrd =
    seen_rule("ECE-9.1-8", Level::must, Role::responder, kSection,
              "An initiator's ORD of 0x3FFF (no negotiation) is answered by an IRD of 0x3FFF.");
constinit const Rule kRepliesNoOrd =
    seen_rule("ECE-9.1-9", Level::must, Role::responder, kSection,
              "An initiator's IRD of 0x3FFF (no negotiation) is answered by an ORD of 0x3FFF.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constinit const Rule kPassedToUlp =
    api_rule("ECE-9.1-1", Level::must, Role::any, kSection, "The peer's IRD and ORD are passed to the ULP.",
             "V-06: the events of librdmacm show it.");
constinit const Rule kInitiatorAdjusts = unseen_rule(
    "ECE-9.1-4", Level::must, Role::initiator, kSection,
    "On an accepting reply the initiator's ORD becomes at most the responder's IRD, and its IRD at least the "
    "responder's ORD.",
    "What it has set shows in the Read Requests that are outstanding: judged with RFC 5040's Reads.");
constinit const Rule kRejectsWithOrd =
    api_rule("ECE-9.1-6", Level::may, Role::responder, kSection,
             "A responder whose ULP needs more than the initiator's IRD may reject and say how much it needs.",
             "What the ULP needs is known above MPA. The text has a Terminate 2/0/06 follow from it, for which a "
             "rejected connection has no FPDU: A-32.");
constinit const Rule kLeavesIrd = api_rule(
    "ECE-9.1-10", Level::must, Role::responder, kSection,
    "The responder leaves its own IRD alone where the initiator's ORD is 0x3FFF, and its ORD where the IRD is.",
    "A value inside one implementation: the wire shows 0x3FFF (ECE-9.1-8, ECE-9.1-9).");
constinit const Rule kLeavesOrd = api_rule(
    "ECE-9.1-11", Level::must, Role::initiator, kSection,
    "The initiator leaves its own ORD alone where the responder's IRD is 0x3FFF, and its IRD where the ORD is.",
    "A value inside one implementation.");
constinit const Rule kRepliesPassedToUlp =
    api_rule("ECE-9.1-12", Level::must, Role::initiator, kSection,
             "The responder's IRD and ORD are passed to the initiator's ULP, with a rejection too.",
             "V-06: the events of librdmacm show it.");

constexpr const Rule* kRules[] = {&kPassedToUlp,     &kResponderOrd,   &kResponderIrd,      &kInitiatorAdjusts,
                                  &kInsufficientIrd, &kRejectsWithOrd, &kRepliesNoIrd,      &kRepliesNoOrd,
                                  &kLeavesIrd,       &kLeavesOrd,      &kRepliesPassedToUlp};

}  // namespace

RuleList ece_9_1_rules() {
  return kRules;
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
  else
    judge.require(kResponderOrd, reply.ord <= request.ird, field::kOrd,
                  expected([&] { return fmt::format("at most {}", request.ird); }), actual(reply.ord),
                  "the initiator's IRD");
}

}  // namespace wirelaw::rdmap
