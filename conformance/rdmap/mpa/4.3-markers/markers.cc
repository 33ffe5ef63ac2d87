// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.3: the positions of markers and the values of their pointers.
#include <fmt/format.h>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/4.2-marker-format/marker_format.h"
#include "conformance/rdmap/mpa/4.3-markers/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {
namespace {

// The rule that the marker must obey. An expected pointer of 0 means that an FPDU follows it directly.
const Rule& rule_of(const mpa::Marker& marker, bool first_inside) {
  if (marker.position == 0) return rule<"MPA-4.3-6">;
  if (marker.expected == 0) return rule<"MPA-4.3-5">;
  return first_inside ? rule<"MPA-4.3-3"> : rule<"MPA-4.3-7">;
}

}  // namespace

void check_markers(Judge& judge, std::span<const mpa::Marker> markers) {
  bool is_first_inside = true;
  for (const mpa::Marker& marker : markers) {
    const auto where = [&] { return fmt::format("the marker at octet {} of Full Operation", marker.position); };
    if (!judge.require(rule<"MPA-4.3-2">, is_marker(marker), field::kMarker,
                       expected([&] { return fmt::format("0x0000, {}", say(hex(marker.expected))); }), actual([&] {
                         return fmt::format("{}, {}", say(hex(marker.reserved)), say(hex(marker.pointer)));
                       }),
                       "no marker is where one is due: nothing after it is judged"))
      return;
    check_marker_format(judge, marker);
    judge.require(rule_of(marker, is_first_inside), points_right(marker), field::kMarker,
                  expected(hex(marker.expected)), actual(hex(marker.pointer)), where);
    is_first_inside &= marker.expected == 0;
  }
}

void check_missing_marker(Judge& judge, const FirstOctetsFact& fact) {
  judge.require(rule<"MPA-4.3-1">, fact.is_marker_there, octets(0, mpa::kMarkerOctets),
                expected("the marker 0x00000000"),
                actual([&] { return fmt::format("{:02x}", fmt::join(fact.octets.first(mpa::kMarkerOctets), " ")); }),
                "the peer has set M, and Full Operation begins with an FPDU");
}

}  // namespace wirelaw::rdmap
