// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 5.4: when Atomic Operations start and complete. Nothing of it shows in the octets of one connection
// alone. The atomicity of 5.3 is in shared_stag_cases.cc.
#include "conformance/rdmap/rdmapx/extensions.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

namespace {

constexpr Section kSection5_4 = Section{"RFC 7306 5.4"}.by(Observable::api);
constexpr Section kSection5_4NotJudged = kSection5_4.by(Observable::none);

constinit const Rule kNotBeforeResponse = kSection5_4.must_not(
    "RDMAPX-5.4-1", "The requester does not take the buffer for changed before the response has been delivered.",
    "The requester's completion shows it");
constinit const Rule kWithinTheRnic = kSection5_4NotJudged.must(
    "RDMAPX-5.4-2", "Atomicity holds within one RNIC.", "RDMAPX-5.3-1 with its scope; a case has one RNIC before it");
constinit const Rule kLaterWritesMayPass = kSection5_4.may(
    "RDMAPX-5.4-4", "A response may be generated after later Writes and Sends have been placed or delivered.",
    "The responder's completions show it");
constinit const Rule kSendsMayPass =
    kSection5_4.may("RDMAPX-5.4-6", "A Send may complete before an Atomic Request that came earlier.",
                    "The responder's completion queue shows it");
constinit const Rule kCompletesWithResponse = kSection5_4.must_not(
    "RDMAPX-5.4-7", "An Atomic Operation does not complete before its response has been delivered.",
    "The requester's completion shows it");
constinit const Rule kInOrder = kSection5_4NotJudged.must(
    "RDMAPX-5.4-8", "Atomic Requests are processed, and their responses submitted, in the order of their delivery.",
    "RDMAPX-5.2.1-17 and RDMAPX-5.2.2-10 judge it");

constexpr Breach kBreaches[] = {
    {Deviation::reads_complete_early, kNotBeforeResponse, {.given = "verbs"}},
    {Deviation::reads_complete_early, kCompletesWithResponse, {.given = "verbs"}},
};

}  // namespace

SectionRules atomicity_rules() {
  static constexpr const Rule* kRules[] = {&kNotBeforeResponse, &kWithinTheRnic,         &kLaterWritesMayPass,
                                           &kSendsMayPass,      &kCompletesWithResponse, &kInOrder};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
