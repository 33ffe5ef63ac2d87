// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 3: what passes between MPA and DDP. Of that the wire shows how long a ULPDU is.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection{"RFC 5044 3"};
constexpr Section kAtVerbs = kSection.by(Observable::api);
constexpr Section kNotJudged = kSection.by(Observable::none);

constinit const Rule kOneUlpdu =
    kSection.must("MPA-3-1", "An FPDU holds exactly one ULPDU, and a ULPDU has at least one octet.");
constinit const Rule kMulpduGiven =
    kAtVerbs.must("MPA-3-2", "MPA reports to DDP how long a record may be (MULPDU).",
                  "Inside one implementation; what DDP makes of it is seen as MPA-4.5-1 and MPA-4.5-2.");
constinit const Rule kRecordsWithinMulpdu =
    kNotJudged.should("MPA-3-3", "DDP's records are at most MULPDU long.",
                      "The same octets are judged as MPA-4.5-1 (with markers) and MPA-4.5-2 (without).");
constinit const Rule kMulpduRange =
    kAtVerbs.must("MPA-3-4", "MULPDU is between 128 and 64768 octets.",
                  "A value inside one implementation; its upper end is seen as MPA-3-5.");
constinit const Rule kNotAbove64768 = kSection.must_not("MPA-3-5", "No ULPDU is longer than 64768 octets.");
constinit const Rule kUlpduPassed = kAtVerbs.must(
    "MPA-3-6", "Each ULPDU that has been validated is passed to DDP with its length.",
    "Inside one implementation; a receive that completes with the right length and octets is what shows of it.");
constinit const Rule kPassedAtOnce = kAtVerbs.should(
    "MPA-3-7", "A receiver that passes ULPDUs out of order does so as soon as each is whole and validated.",
    "Inside one implementation; early placement may show in a buffer that verbs registered.");
constinit const Rule kSenderOrder = kAtVerbs.should(
    "MPA-3-8", "A receiver that passes ULPDUs out of order can report to DDP in which order they were sent.",
    "Inside one implementation.");
constinit const Rule kDeliveryReported = kAtVerbs.should(
    "MPA-3-9", "A receiver that passes ULPDUs out of order reports to DDP when one, and all before it, is complete.",
    "Inside one implementation; verbs would show it as a completion.");
constinit const Rule kCloseReported = kAtVerbs.should(
    "MPA-3-10", "A receiver that passes ULPDUs out of order reports to DDP that TCP has closed or begins to.",
    "Inside one implementation; verbs would show it as an asynchronous event.");
constinit const Rule kVersionGiven = kAtVerbs.must(
    "MPA-3-11", "DDP gets the protocol version that MPA has agreed on, and sets its own by it.",
    "Inside one implementation; DDP's and RDMAP's version fields are judged against MPA's revision there.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr std::size_t kMostOctets = 64768;

constexpr const Rule* kRules[] = {&kOneUlpdu,         &kMulpduGiven,   &kRecordsWithinMulpdu, &kMulpduRange,
                                  &kNotAbove64768,    &kUlpduPassed,   &kPassedAtOnce,        &kSenderOrder,
                                  &kDeliveryReported, &kCloseReported, &kVersionGiven};

constexpr Breach kBreaches[] = {
    {Deviation::receive_length_wrong, kUlpduPassed, {.given = "verbs"}},
};

}  // namespace

SectionRules s3_ddp_rules() {
  return {kRules, kBreaches};
}

bool judge_ulpdu_length(Judge& judge, const Seen& seen) {
  const std::size_t length = seen.fpdu.ulpdu_length();
  judge.require(kNotAbove64768, length <= kMostOctets, field::kUlpduLength, expected("at most 64768"), actual(length));
  return judge.require(kOneUlpdu, length > 0, field::kUlpduLength, expected("at least 1"), actual(length),
                       "an FPDU without a ULPDU");
}

}  // namespace wirelaw::rdmap
