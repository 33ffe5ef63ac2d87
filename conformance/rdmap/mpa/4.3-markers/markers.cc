// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.3: where markers are, and what they point at.
#include <fmt/format.h>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/4.2-marker-format/marker_format.h"
#include "conformance/rdmap/mpa/4.3-markers/first_octets.h"
#include "conformance/rdmap/mpa/4.3-markers/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {
namespace {

// 0 where the first octet that follows is a marker.
const Rule& rule_of(const mpa::Marker& marker, bool first_inside) {
  if (marker.position == 0) return rule<"MPA-4.3-6">;
  if (marker.expected == 0) return rule<"MPA-4.3-5">;
  return first_inside ? rule<"MPA-4.3-3"> : rule<"MPA-4.3-7">;
}

}  // namespace

bool judge_markers(Judge& judge, const Seen& seen) {
  bool first_inside = true;
  for (const mpa::Marker& marker : seen.fpdu.markers) {
    const auto where = [&] { return fmt::format("the marker at octet {} of Full Operation", marker.position); };
    const bool points_right = mpa::same_pointer(marker.pointer, marker.expected);
    // A marker with one wrong field is a wrong marker; octets of which neither field is right are none.
    const bool is_marker = points_right || marker.reserved == 0;
    if (!judge.require(rule<"MPA-4.3-2">, is_marker, field::kMarker,
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
  judge.require(rule<"MPA-4.3-1">, !missing, wirelaw::octets(0, mpa::kMarkerOctets), expected("the marker 0x00000000"),
                actual([&] { return fmt::format("{:02x}", fmt::join(octets.first(mpa::kMarkerOctets), " ")); }),
                "the peer has set M, and Full Operation begins with an FPDU");
  return missing;
}

}  // namespace wirelaw::rdmap
