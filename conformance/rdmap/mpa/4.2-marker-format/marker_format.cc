// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.2: the marker format. The value of FPDUPTR (section 4.3) is judged in markers.cc.
#include "conformance/rdmap/mpa/4.2-marker-format/marker_format.h"

#include <fmt/format.h>

#include "conformance/rdmap/mpa/4.2-marker-format/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {

void check_marker_format(Judge& judge, const mpa::Marker& marker) {
  const auto where = [&] { return fmt::format("the marker at octet {} of Full Operation", marker.position); };
  judge.require(rule<"MPA-4.2-1">, marker.reserved == 0, field::kMarker, expected("0x0000"),
                actual(hex(marker.reserved)), where);
  judge.require(rule<"MPA-4.2-3">, (marker.pointer & 3) == 0, field::kMarker, expected("a multiple of four"),
                actual(hex(marker.pointer)), where);
}

}  // namespace wirelaw::rdmap
