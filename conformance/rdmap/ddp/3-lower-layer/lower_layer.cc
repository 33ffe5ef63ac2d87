// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 3: what DDP asks of the layer below it. Over TCP that layer is MPA, whose own rules judge what of
// it can be seen.
#include "conformance/rdmap/ddp/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 5041 3"}.by(Observable::api);
constexpr Section kNotJudged = kSection.by(Observable::none);
constexpr std::string_view kInside =
    "between two layers of one implementation: seen where DDP hands segments to its LLP";

constinit const Rule kExposesMulpdu =
    kSection.must("DDP-3-1", "The LLP reports to DDP its MULPDU and each change of it.", kInside);
constinit const Rule kNoResegmentation =
    kSection.must_not("DDP-3-2", "A change of MULPDU never makes DDP segment again what it has posted.", kInside);
constinit const Rule kReliable =
    kSection.must("DDP-3-3", "A segment that the LLP has accepted is transferred reliably, or its failure is reported.",
                  "RDMAP/V-02: the completion in error of what a reset connection carried shows it");
constinit const Rule kBoundaries =
    kNotJudged.must("DDP-3-4", "The LLP preserves the boundaries of segments and messages.",
                    "FPDUs keep them: judged by MPA's rules of framing");
constinit const Rule kSenderOrder =
    kSection.must("DDP-3-5", "An LLP that hands segments up out of order says in which order they were sent.", kInside);
constinit const Rule kDigest =
    kNotJudged.must("DDP-3-6", "The LLP protects each segment by a digest at least as strong as CRC32c.",
                    "judged by MPA's rules of the CRC");
constinit const Rule kLength =
    kSection.must("DDP-3-7", "On receipt the LLP reports the length of the segment.", kInside);
constinit const Rule kErroneousStream = kNotJudged.must_not(
    "DDP-3-8", "Where streams cannot be torn down one by one, nothing more is transferred on one that had an error.",
    "a TCP connection is one stream; what follows a Terminate is judged by RDMAP's rules of it");
constinit const Rule kReportsGraceful =
    kSection.must("DDP-3-9", "The LLP reports that a stream or connection was torn down gracefully.",
                  "RDMAP/V-01: what verbs report of the peer's close shows it");
constinit const Rule kConnectionGoesToo =
    kNotJudged.must("DDP-3-10", "A connection is torn down once each of its streams is torn down or erroneous.",
                    "a TCP connection is one stream: judged by RDMAP's rules of error management");
constinit const Rule kNoDuplicates =
    kSection.must_not("DDP-3-11", "The LLP hands no segment up a second time once all before it have been handed up.",
                      "RDMAP/A-73; between two layers of one implementation");

constexpr Breach kBreaches[] = {
    {Deviation::error_not_surfaced, kReliable, {.given = "verbs"}},
    {Deviation::disconnect_not_told, kReportsGraceful, {.given = "verbs pair"}},
};

}  // namespace

SectionRules ddp_llp_rules() {
  static constexpr const Rule* kRules[] = {
      &kExposesMulpdu, &kNoResegmentation, &kReliable,        &kBoundaries,        &kSenderOrder, &kDigest,
      &kLength,        &kErroneousStream,  &kReportsGraceful, &kConnectionGoesToo, &kNoDuplicates};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
