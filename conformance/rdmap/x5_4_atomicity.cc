// SPDX-License-Identifier: Apache-2.0
// RFC 7306, sections 5.3 and 5.4: atomicity, and when Atomic Operations start and complete. Nothing of it shows in the
// octets of one connection alone.
#include "conformance/rdmap/extensions.h"

namespace wirelaw::rdmap {

RuleList atomicity_rules() {
  static constexpr auto rule = [](std::string_view id, Level level, Observable observable, std::string_view summary,
                                  std::string_view note = {}) {
    return extension_rule(id, level, "RFC 7306 5.4", observable, summary, note);
  };
  static constinit const Rule kAtomic = extension_rule(
      "RDMAPX-5.3-1", Level::must, "RFC 7306 5.3", Observable::api,
      "Reading, changing and writing back is one step for all streams of an RNIC.",
      "Many operations on one word from several streams, which its application must let at the same buffer");
  static constinit const Rule kNotBeforeResponse =
      rule("RDMAPX-5.4-1", Level::must_not, Observable::api,
           "The requester does not take the buffer for changed before the response has been delivered.",
           "The requester's completion shows it");
  static constinit const Rule kWithinTheRnic =
      rule("RDMAPX-5.4-2", Level::must, Observable::none, "Atomicity holds within one RNIC.",
           "RDMAPX-5.3-1 with its scope; a case has one RNIC before it");
  static constinit const Rule kLaterWritesMayPass =
      rule("RDMAPX-5.4-4", Level::may, Observable::api,
           "A response may be generated after later Writes and Sends have been placed or delivered.",
           "The responder's completions show it");
  static constinit const Rule kSendsMayPass = rule("RDMAPX-5.4-6", Level::may, Observable::api,
                                                   "A Send may complete before an Atomic Request that came earlier.",
                                                   "The responder's completion queue shows it");
  static constinit const Rule kCompletesWithResponse =
      rule("RDMAPX-5.4-7", Level::must_not, Observable::api,
           "An Atomic Operation does not complete before its response has been delivered.",
           "The requester's completion shows it");
  static constinit const Rule kInOrder =
      rule("RDMAPX-5.4-8", Level::must, Observable::none,
           "Atomic Requests are processed, and their responses submitted, in the order of their delivery.",
           "RDMAPX-5.2.1-17 and RDMAPX-5.2.2-10 judge it");
  static constexpr const Rule* kRules[] = {
      &kAtomic,       &kNotBeforeResponse,     &kWithinTheRnic, &kLaterWritesMayPass,
      &kSendsMayPass, &kCompletesWithResponse, &kInOrder};
  return kRules;
}

}  // namespace wirelaw::rdmap
