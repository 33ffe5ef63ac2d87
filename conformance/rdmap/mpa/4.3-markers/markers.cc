// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.3: where markers are, and what they point at.
#include <fmt/format.h>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/4.2-marker-format/marker_format.h"
#include "conformance/rdmap/mpa/4.3-markers/first_octets.h"
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection{"RFC 5044 4.3"};
constexpr Section kAtVerbs = kSection.by(Observable::api);
constexpr Section kNotJudged = kSection.by(Observable::none);

constinit const Rule kMarkersWhenAsked =
    kSection.must("MPA-4.3-1", "A side whose peer has set M puts markers into what it sends: every sender is able to.",
                  "RDMAP/A-28: an implementation without markers breaks this as soon as a peer asks for them.");
constinit const Rule kMarkerInterval =
    kSection.must("MPA-4.3-2", "A marker is at every 512th octet of the stream, counted from the first one.",
                  "Detected by a CRC that holds if no marker is there.");
constinit const Rule kMarkerPointer = kSection.must(
    "MPA-4.3-3",
    "The FPDUPTR of a marker inside an FPDU counts the octets of the stream from the ULPDU_Length to the marker.");
constinit const Rule kSequenceWrap = kNotJudged.must(
    "MPA-4.3-4",
    "Counting back from a marker takes into account that TCP's sequence numbers may have wrapped in between.",
    "A wrong count in a stream that wraps shows as MPA-4.3-3 or in the echo of a case; sequence numbers are TCP's.");
constinit const Rule kZeroBetween = kSection.must("MPA-4.3-5", "The FPDUPTR of a marker between two FPDUs is zero.");
constinit const Rule kFirstMarker = kSection.must(
    "MPA-4.3-6", "The first marker is right before the first FPDU of Full Operation, and its FPDUPTR is zero.",
    "RFC 5044, 7.1.2 rule 7 says the same.");
constinit const Rule kSamePoint =
    kSection.must("MPA-4.3-7", "All markers inside one FPDU point at the same octet: the first of its ULPDU_Length.");
constinit const Rule kBoundariesKept =
    kAtVerbs.must("MPA-4.3-8", "A receiver keeps ULPDU boundaries when it passes data on.",
                  "Inside one implementation: a DDP that were given other boundaries would answer with errors, or "
                  "place wrong octets.");
constinit const Rule kOnlyUlpduPassed = kAtVerbs.must(
    "MPA-4.3-9", "A receiver passes the ULPDU and its length to DDP, and neither markers nor header nor CRC.",
    "Inside one implementation; in a buffer that verbs registered, markers would show among the data.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

// 0 where the first octet that follows is a marker.
const Rule& rule_of(const mpa::Marker& marker, bool first_inside) {
  if (marker.position == 0) return kFirstMarker;
  if (marker.expected == 0) return kZeroBetween;
  return first_inside ? kMarkerPointer : kSamePoint;
}

constexpr Breach kBreaches[] = {
    {Deviation::markers_missing, kMarkersWhenAsked},
    {Deviation::marker_pointer_wrong, kMarkerPointer},
    {Deviation::boundaries_lost, kBoundariesKept, {.given = "verbs"}},
    {Deviation::pad_delivered, kOnlyUlpduPassed, {.given = "verbs"}},
};

}  // namespace

SectionRules s4_3_marker_rules() {
  static constexpr const Rule* kRules[] = {&kMarkersWhenAsked, &kMarkerInterval, &kMarkerPointer,
                                           &kSequenceWrap,     &kZeroBetween,    &kFirstMarker,
                                           &kSamePoint,        &kBoundariesKept, &kOnlyUlpduPassed};
  return {kRules, kBreaches};
}

bool judge_markers(Judge& judge, const Seen& seen) {
  bool first_inside = true;
  for (const mpa::Marker& marker : seen.fpdu.markers) {
    const auto where = [&] { return fmt::format("the marker at octet {} of Full Operation", marker.position); };
    const bool points_right = mpa::same_pointer(marker.pointer, marker.expected);
    // A marker with one wrong field is a wrong marker; octets of which neither field is right are none.
    const bool is_marker = points_right || marker.reserved == 0;
    if (!judge.require(kMarkerInterval, is_marker, field::kMarker,
                       expected([&] { return fmt::format("0x0000, {}", say(hex(marker.expected))); }), actual([&] {
                         return fmt::format("{}, {}", say(hex(marker.reserved)), say(hex(marker.pointer)));
                       }),
                       "no marker is where one is due: nothing behind it is judged")) {
      seen.from.unframed = true;
      return false;
    }
    judge_marker_format(judge, marker);
    const Rule& rule = rule_of(marker, first_inside);
    judge.require(rule, points_right, field::kMarker, expected(hex(marker.expected)), actual(hex(marker.pointer)),
                  where);
    seen.from.markers_doubted |= !points_right;
    if (marker.expected == 0) continue;
    if (first_inside && !points_right) return true;  // one fault: the rest points wrong with it
    first_inside = false;
  }
  return true;
}

bool judge_missing_markers(Judge& judge, Octets octets) {
  const bool missing = !is_zero_marker(octets) && looks_like_fpdu(octets);
  judge.require(kMarkersWhenAsked, !missing, wirelaw::octets(0, mpa::kMarkerOctets), expected("the marker 0x00000000"),
                actual([&] { return fmt::format("{:02x}", fmt::join(octets.first(mpa::kMarkerOctets), " ")); }),
                "the peer has set M, and Full Operation begins with an FPDU");
  return missing;
}

}  // namespace wirelaw::rdmap
