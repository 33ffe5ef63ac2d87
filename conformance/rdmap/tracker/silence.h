// SPDX-License-Identifier: Apache-2.0
// Messages that were due and never came, stated when the trace is over (INTERPRETATIONS, RDMAP/A-63).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "conformance/rdmap/tracker/facts.h"

namespace wirelaw::rdmap {

// Until TCP may stop retransmitting a segment (RFC 9293, 3.8.3: R2 is at least 100 seconds), a message that is due may
// still be on its way.
inline constexpr std::int64_t kGraceNs = 100'000'000'000;

// The end of the source.
struct SourceEnd {
  std::int64_t now_ns = 0;
  // By Side: the time until which it could send nothing because its peer had no room.
  std::array<std::int64_t, 2> held_until_ns = {};
  std::uint64_t frame = 0;  // the frame where the capture ends; 0: unknown
};

// Returns facts if the trace continued after the last octets. If the connection has ended, only about requests that the
// side which ended it had waited for.
std::vector<SilenceFact> find_silence(const Connection& connection, const SourceEnd& end);

}  // namespace wirelaw::rdmap
