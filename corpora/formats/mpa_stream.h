// SPDX-License-Identifier: Apache-2.0
// The input of fuzz_mpa: an octet that sets the framing of the stream, one that sets how it is cut, and the stream of
// one side. Any octets are a valid input.
#pragma once

#include "reference/octets/octets.h"

namespace wirelaw::corpora {

namespace mpa_control {
inline constexpr Octet kMarkers = 0x01;
inline constexpr Octet kCrc = 0x02;
inline constexpr Octet kStartFrame = 0x04;  // a start frame comes first
inline constexpr Octet kGap = 0x08;         // a second reading begins after missing octets
}  // namespace mpa_control

inline constexpr std::size_t kMpaStreamHeader = 2;

}  // namespace wirelaw::corpora
