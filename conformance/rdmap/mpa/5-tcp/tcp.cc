// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 5: MPA above TCP, and appendix A.4.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/5-tcp/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::uint64_t kEnough = 16;  // FPDUs from which a habit shows
// Beyond the largest Ethernet frames there is no link that a segment would have crossed as it is in the trace.
constexpr std::uint16_t kLargestSegment = 16 << 10;

}  // namespace

void note_alignment(const Seen& seen) {
  const std::uint64_t begin =
      seen.fpdu.markers.empty() ? seen.fpdu.position : std::min(seen.fpdu.position, seen.fpdu.markers.front().position);
  if (seen.fpdu.end - begin > seen.from.mss) return;
  ++seen.from.fitting;
  if (begin < seen.from.piece_at) ++seen.from.astray;
}

void judge_alignment(Judge& judge, const Direction& from) {
  if (from.mss == 0 || from.mss > kLargestSegment || from.largest_piece > from.mss) return;
  if (from.fitting == 0 || !from.unbroken) return;
  judge.advise(rule<"MPA-5.1-3">, from.fitting < kEnough || from.astray * 2 <= from.fitting, octets(0, 0),
               expected("FPDUs that lie in one segment"),
               actual([&] { return fmt::format("{} of {} lie in more", from.astray, from.fitting); }));
}

}  // namespace wirelaw::rdmap
