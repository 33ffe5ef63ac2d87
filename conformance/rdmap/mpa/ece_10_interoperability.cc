// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 10: enhanced and unenhanced sides; and 12: sanity of what comes in.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/rdmap/mpa/rule_of.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 6581 10";

}  // namespace

namespace mpa_rule {

constinit const Rule kEnhancedAnswered =
    seen_rule("ECE-10-1", Level::must, Role::responder, kSection,
              "An enhanced request is answered by an enhanced reply, or by a close.",
              "An accepting reply without S would leave open what has been agreed. Revision 2 with S zero counts as "
              "unenhanced (A-30).");
constinit const Rule kUnenhancedAnswered = seen_rule("ECE-10-2", Level::must, Role::responder, kSection,
                                                     "An unenhanced request is answered by an unenhanced reply.");
constinit const Rule kUnenhancedAccepted = asked_rule("ECE-10-4", Level::must, Role::responder, kSection,
                                                      "A responder goes on accepting unenhanced requests.");
constinit const Rule kEnhancedRefused =
    asked_rule("ECE-10-5", Level::must, Role::responder, kSection,
               "A responder that does not know enhanced requests closes the connection on one.",
               "A-30. Whether it knows them shows in its answer: an enhanced reply, or the close.");
constinit const Rule kInputsChecked = asked_rule(
    "ECE-12-1", Level::should, Role::any, "RFC 6581 12", "IRD, ORD and the flags that come are checked for sanity.",
    "Recommended. A start frame with S and without the four octets is not properly formatted.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constinit const Rule kOnlyIfDesired =
    api_rule("ECE-10-3", Level::must_not, Role::initiator, kSection,
             "An initiator that wants nothing of the enhanced functions does not use their formats.",
             "What it wants is the ULP's to say.");
constexpr const Rule* kRules[] = {&kEnhancedAnswered,   &kUnenhancedAnswered, &kOnlyIfDesired,
                                  &kUnenhancedAccepted, &kEnhancedRefused,    &kInputsChecked};

}  // namespace

RuleList ece_10_rules() {
  return kRules;
}

void judge_enhanced_answer(Judge& judge, const StartFrames& frames) {
  const auto got = actual([&] { return fmt::format("S={:d} Rev={}", frames.reply.enhanced, frames.reply.revision); });
  if (claims_enhanced(frames.request))
    judge.require(kEnhancedAnswered, frames.reply.enhanced, field::kFlags, expected("S=1"), got);
  else
    judge.require(kUnenhancedAnswered, !claims_enhanced(frames.reply), field::kFlags, expected("S=0"), got);
}

}  // namespace wirelaw::rdmap
