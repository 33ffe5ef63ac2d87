// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.2: the marker format. Section 4.3: what FPDUPTR says is judged in markers.cc.
#include "conformance/rdmap/mpa/4.2-marker-format/marker_format.h"

#include <fmt/format.h>

#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection{"RFC 5044 4.2"};
constexpr Section kStimuli = kSection.by(Observable::stimulus);

constinit const Rule kMarkerReservedZero =
    kSection.must("MPA-4.2-1", "The first 16 bits of a marker are reserved: the sender leaves them zero.");
constinit const Rule kMarkerReservedIgnored =
    kStimuli.must("MPA-4.2-2", "A receiver ignores a marker's reserved bits, save for the CRC.",
                  "Only of an implementation that asks for markers.");
constinit const Rule kMarkerLowBitsZero =
    kSection.must("MPA-4.2-3", "The two low bits of FPDUPTR are zero when it is sent.");
constinit const Rule kMarkerLowBitsIgnored =
    kStimuli.must("MPA-4.2-4", "A receiver takes the two low bits of FPDUPTR for zero, whatever they are.",
                  "Only of an implementation that asks for markers. Section 4.3 says the same.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr const Rule* kRules[] = {&kMarkerReservedZero, &kMarkerReservedIgnored, &kMarkerLowBitsZero,
                                  &kMarkerLowBitsIgnored};

constexpr Breach kBreaches[] = {
    {Deviation::marker_reserved_set, kMarkerReservedZero},
    {Deviation::send_lost, kMarkerReservedIgnored, {.who = wirelaw::Role::responder, .given = "markers"}},
    {Deviation::marker_pointer_low_bits, kMarkerLowBitsZero},
    {Deviation::send_lost, kMarkerLowBitsIgnored, {.who = wirelaw::Role::responder, .given = "markers"}},
};

}  // namespace

SectionRules s4_2_marker_format_rules() {
  return {kRules, kBreaches};
}

void judge_marker_format(Judge& judge, const mpa::Marker& marker) {
  const auto where = [&] { return fmt::format("the marker at octet {} of Full Operation", marker.position); };
  judge.require(kMarkerReservedZero, marker.reserved == 0, field::kMarker, expected("0x0000"),
                actual(hex(marker.reserved)), where);
  judge.require(kMarkerLowBitsZero, (marker.pointer & 3) == 0, field::kMarker, expected("a multiple of four"),
                actual(hex(marker.pointer)), where);
}

}  // namespace wirelaw::rdmap
