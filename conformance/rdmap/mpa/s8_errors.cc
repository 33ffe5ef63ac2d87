// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 8: errors. How a Terminate tells them is judged with the Terminate (RFC 5040, 4.8).
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/rdmap/mpa/rule_of.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5044 8";

}  // namespace

namespace mpa_rule {

constinit const Rule kCrcErrorDetected = asked_rule(
    "MPA-8-2", Level::must, Role::any, kSection,
    "A CRC that does not hold is detected (code 2): the peer is told so, or the segment is dropped in silence.",
    "A-01: the Terminate says 2/0/02; 2/3/02 is warned of.");
constinit const Rule kMarkerErrorDetected =
    asked_rule("MPA-8-3", Level::must, Role::any, kSection,
               "A marker that does not agree with the ULPDU_Lengths is detected (code 3), where it is checked at all.",
               "A-33: section 5.2 does not require markers to be examined. What must not happen is wrong data.");
constinit const Rule kBadStartFrameCloses =
    asked_rule("MPA-8-4", Level::must, Role::any, kSection,
               "On an invalid Request or Reply the TCP connection is closed at once (code 4).",
               "A-34: a Terminate 2/0/04 before that is warned of.");
constinit const Rule kNothingAfterError =
    asked_rule("MPA-8-5", Level::must_not, Role::any, kSection,
               "Once MPA has delivered an error, it passes no more FPDUs of that half connection.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constinit const Rule kLossDetected =
    api_rule("MPA-8-1", Level::must, Role::any, kSection, "That the TCP connection is gone is detected (code 1).",
             "Nothing can be sent any more: verbs show an event. That a server survives it is judged by cases.");
constinit const Rule kUlpCloses =
    api_rule("MPA-8-6", Level::must_not, Role::any, kSection,
             "After an error of code 2 or 3 it is not MPA that closes the connection, but the ULP of DDP.",
             "Which of the two has closed does not show on the wire.");
constinit const Rule kCodesGiven =
    unseen_rule("MPA-8-7", Level::should, Role::any, kSection, "DDP or another consumer is given the code of an error.",
                "Where RDMAP hands it on, the Terminate shows it: MPA-8-2, MPA-8-3.");

constexpr const Rule* kRules[] = {&kLossDetected,      &kCrcErrorDetected, &kMarkerErrorDetected, &kBadStartFrameCloses,
                                  &kNothingAfterError, &kUlpCloses,        &kCodesGiven};

}  // namespace

RuleList s8_error_rules() {
  return kRules;
}

}  // namespace wirelaw::rdmap
