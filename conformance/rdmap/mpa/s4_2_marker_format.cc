// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.2: the marker format. Section 4.3: what FPDUPTR says is judged in s4_3_markers.cc.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/marker_check.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/rdmap/mpa/rule_of.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5044 4.2";

}  // namespace

namespace mpa_rule {

constinit const Rule kMarkerReservedZero =
    seen_rule("MPA-4.2-1", Level::must, Role::any, kSection,
              "The first 16 bits of a marker are reserved: the sender leaves them zero.");
constinit const Rule kMarkerReservedIgnored = asked_rule(
    "MPA-4.2-2", Level::must, Role::any, kSection, "A receiver ignores a marker's reserved bits, save for the CRC.",
    "Only of an implementation that asks for markers.");
constinit const Rule kMarkerLowBitsZero =
    seen_rule("MPA-4.2-3", Level::must, Role::any, kSection, "The two low bits of FPDUPTR are zero when it is sent.");
constinit const Rule kMarkerLowBitsIgnored =
    asked_rule("MPA-4.2-4", Level::must, Role::any, kSection,
               "A receiver takes the two low bits of FPDUPTR for zero, whatever they are.",
               "Only of an implementation that asks for markers. Section 4.3 says the same.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr const Rule* kRules[] = {&kMarkerReservedZero, &kMarkerReservedIgnored, &kMarkerLowBitsZero,
                                  &kMarkerLowBitsIgnored};

}  // namespace

RuleList s4_2_marker_format_rules() {
  return kRules;
}

void judge_marker_format(Judge& judge, const mpa::Marker& marker) {
  const auto where = [&] { return fmt::format("the marker at octet {} of Full Operation", marker.position); };
  judge.require(kMarkerReservedZero, marker.reserved == 0, field::kMarker, expected("0x0000"),
                actual(hex(marker.reserved)), where);
  judge.require(kMarkerLowBitsZero, (marker.pointer & 3) == 0, field::kMarker, expected("a multiple of four"),
                actual(hex(marker.pointer)), where);
}

}  // namespace wirelaw::rdmap
