// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.5: how long a ULPDU may be so that its FPDU fits into a segment.
#include <fmt/format.h>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/4.5-fpdu-size/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::size_t kMostOctets = 64768;

}  // namespace

void check_mulpdu(Judge& judge, std::size_t length, const MulpduFact& fact) {
  if (length > kMostOctets) return;  // MPA-3-5 has judged that
  const std::size_t most = mpa::mulpdu(fact.mss, fact.markers);
  judge.advise(fact.markers ? rule<"MPA-4.5-1"> : rule<"MPA-4.5-2">, length <= most, field::kUlpduLength,
               expected([&] { return fmt::format("at most {}", most); }), actual(length),
               [&] { return fmt::format("the peer's maximum segment size is {}", fact.mss); });
}

// Its header alone shows that it is too long.
void check_unfinished_fpdu(Judge& judge, const UnfinishedFpduFact& fact) {
  if (fact.ulpdu_length() <= mpa::mulpdu(fact.mulpdu.mss, fact.mulpdu.markers)) return;
  Message at = fact.at;
  at.octets = fact.octets;
  at.wire_length = fact.octets.size();
  const Elsewhere there(judge, at);
  check_mulpdu(judge, fact.ulpdu_length(), fact.mulpdu);
}

}  // namespace wirelaw::rdmap
