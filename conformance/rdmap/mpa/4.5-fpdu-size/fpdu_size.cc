// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.5: how long a ULPDU may be so that its FPDU fits into a segment.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/4.5-fpdu-size/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::size_t kMostOctets = 64768;

}  // namespace

void judge_mulpdu(Judge& judge, const Seen& seen) {
  const std::size_t length = seen.fpdu.ulpdu_length();
  const std::uint16_t mss = seen.from.mss;
  if (mss == 0 || length > kMostOctets) return;  // MPA-3-5 has judged that
  const bool markers = seen.connection.agreement.markers[seen.from.side == Side::a ? 0 : 1];
  const std::size_t most = mpa::mulpdu(mss, markers);
  judge.advise(markers ? rule<"MPA-4.5-1"> : rule<"MPA-4.5-2">, length <= most, field::kUlpduLength,
               expected([&] { return fmt::format("at most {}", most); }), actual(length),
               [&] { return fmt::format("the peer's maximum segment size is {}", mss); });
}

}  // namespace wirelaw::rdmap
