// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 5: MPA above TCP, and appendix A.4.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/5-tcp/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::uint64_t kEnough = 16;  // FPDUs that suffice to see a habit

}  // namespace

void check_alignment(Judge& judge, const AlignmentFact& fact) {
  judge.advise(rule<"MPA-5.1-3">, fact.fitting < kEnough || fact.split * 2 <= fact.fitting, octets(0, 0),
               expected("FPDUs in one segment each"),
               actual([&] { return fmt::format("{} of {} are split over several", fact.split, fact.fitting); }));
}

}  // namespace wirelaw::rdmap
