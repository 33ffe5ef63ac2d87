// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 10: enhanced and unenhanced sides; and 12: sanity of what comes in.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection{"RFC 6581 10", wirelaw::Role::responder};
constexpr Section kInitiatorAtVerbs = kSection.of(wirelaw::Role::initiator).by(Observable::api);
constexpr Section kResponderStimuli = kSection.by(Observable::stimulus);
constexpr Section kSection12 = Section{"RFC 6581 12"}.by(Observable::stimulus);

constinit const Rule kEnhancedAnswered =
    kSection.must("ECE-10-1", "An enhanced request is answered by an enhanced reply, or by a close.",
                  "An accepting reply without S would leave open what has been agreed. Revision 2 with S zero counts "
                  "as unenhanced (RDMAP/A-30).");
constinit const Rule kUnenhancedAnswered =
    kSection.must("ECE-10-2", "An unenhanced request is answered by an unenhanced reply.");
constinit const Rule kOnlyIfDesired = kInitiatorAtVerbs.must_not(
    "ECE-10-3", "An initiator that wants nothing of the enhanced functions does not use their formats.",
    "What it wants is the ULP's to say.");
constinit const Rule kUnenhancedAccepted =
    kResponderStimuli.must("ECE-10-4", "A responder goes on accepting unenhanced requests.");
constinit const Rule kEnhancedRefused =
    kResponderStimuli.must("ECE-10-5", "A responder that does not know enhanced requests closes the connection on one.",
                           "RDMAP/A-30. Whether it knows them shows in its answer: an enhanced reply, or the close.");
constinit const Rule kInputsChecked =
    kSection12.should("ECE-12-1", "IRD, ORD and the flags that come are checked for sanity.",
                      "Recommended. A start frame with S and without the four octets is not properly formatted.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr const Rule* kRules[] = {&kEnhancedAnswered,   &kUnenhancedAnswered, &kOnlyIfDesired,
                                  &kUnenhancedAccepted, &kEnhancedRefused,    &kInputsChecked};

constexpr Breach kBreaches[] = {
    {Deviation::reply_revision_one, kEnhancedAnswered},
    {Deviation::reply_not_enhanced, kEnhancedAnswered},
    {Deviation::reply_enhanced_unasked, kUnenhancedAnswered},
    {Deviation::reply_missing, kUnenhancedAccepted},
    {Deviation::closes_on_revision_one, kUnenhancedAccepted},
    {Deviation::reply_missing, kEnhancedRefused},
    {Deviation::dies_of_bad_start, kInputsChecked, {.who = wirelaw::Role::responder}},
};

}  // namespace

SectionRules ece_10_rules() {
  return {kRules, kBreaches};
}

void judge_enhanced_answer(Judge& judge, const StartFrames& frames) {
  const auto got = actual([&] { return fmt::format("S={:d} Rev={}", frames.reply.enhanced, frames.reply.revision); });
  if (claims_enhanced(frames.request))
    judge.require(kEnhancedAnswered, frames.reply.enhanced, field::kFlags, expected("S=1"), got);
  else
    judge.require(kUnenhancedAnswered, !claims_enhanced(frames.reply), field::kFlags, expected("S=0"), got);
}

}  // namespace wirelaw::rdmap
