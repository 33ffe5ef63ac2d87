// SPDX-License-Identifier: Apache-2.0
// Between the two files that judge a marker.
#pragma once

#include "conformance/rdmap/fields.h"

namespace wirelaw::rdmap {

namespace field {
// Markers have been removed from the message, so a finding points at the ULPDU_Length that the marker refers to.
inline constexpr OctetRange kMarker = kUlpduLength;
}  // namespace field

void check_marker_format(Judge& judge, const mpa::Marker& marker);

}  // namespace wirelaw::rdmap
