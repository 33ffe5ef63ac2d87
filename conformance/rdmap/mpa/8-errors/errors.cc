// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 8: errors. How a Terminate reports them is judged with the Terminate (RFC 5040, 4.8).
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection = Section{"RFC 5044 8"}.by(Observable::stimulus);
constexpr Section kAtVerbs = kSection.by(Observable::api);
constexpr Section kNotJudged = kSection.by(Observable::none);

constinit const Rule kLossDetected =
    kAtVerbs.must("MPA-8-1", "That the TCP connection is gone is detected (code 1).",
                  "Nothing can be sent any more: verbs show an event. That a server survives it is judged by cases.");
constinit const Rule kCrcErrorDetected = kSection.must("MPA-8-2",
                                                       "A CRC that does not hold is detected (code 2): that is "
                                                       "reported to the peer, or the segment is dropped in silence.",
                                                       "RDMAP/A-01: the Terminate says 2/0/02; 2/3/02 is warned of.");
constinit const Rule kMarkerErrorDetected = kSection.must(
    "MPA-8-3", "A marker that does not agree with the ULPDU_Lengths is detected (code 3), where it is checked at all.",
    "RDMAP/A-33: section 5.2 does not require markers to be examined. What must not happen is wrong data.");
constinit const Rule kBadStartFrameCloses =
    kSection.must("MPA-8-4", "On an invalid Request or Reply the TCP connection is closed at once (code 4).",
                  "RDMAP/A-34: a Terminate 2/0/04 before that is warned of.");
constinit const Rule kNothingAfterError =
    kSection.must_not("MPA-8-5", "Once MPA has delivered an error, it passes no more FPDUs of that half connection.");
constinit const Rule kUlpCloses = kAtVerbs.must_not(
    "MPA-8-6", "After an error of code 2 or 3 it is not MPA that closes the connection, but the ULP of DDP.",
    "Which of the two has closed does not show on the wire.");
constinit const Rule kCodesGiven =
    kNotJudged.should("MPA-8-7", "DDP or another consumer is given the code of an error.",
                      "Where RDMAP hands it on, the Terminate shows it: MPA-8-2, MPA-8-3.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr const Rule* kRules[] = {&kLossDetected,      &kCrcErrorDetected, &kMarkerErrorDetected, &kBadStartFrameCloses,
                                  &kNothingAfterError, &kUlpCloses,        &kCodesGiven};

constexpr Breach kBreaches[] = {
    {Deviation::error_not_surfaced, kLossDetected, {.given = "verbs"}},
    {Deviation::terminate_code_wrong, kCrcErrorDetected},
    {Deviation::terminate_code_wrong, kMarkerErrorDetected, {.who = wirelaw::Role::responder, .given = "markers"}},
    {Deviation::accepts_bad_key, kBadStartFrameCloses},
    {Deviation::error_ignored, kNothingAfterError, {.who = wirelaw::Role::responder}},
};

}  // namespace

SectionRules s8_error_rules() {
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
