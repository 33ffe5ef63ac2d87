// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.5: how long a ULPDU may be so that its FPDU fits into a segment.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection{"RFC 5044 4.5"};
constexpr Section kAtVerbs = kSection.by(Observable::api);

constinit const Rule kWithMarkers = kSection.must(
    "MPA-4.5-1", "With markers, MULPDU is EMSS - (6 + 4 * ceiling(EMSS / 512) + EMSS mod 4), and DDP keeps to it.",
    "RDMAP/A-24: judged where the peer's SYN has an MSS, of which EMSS is at most. That DDP keeps to it is a SHOULD "
    "(sections 3 and 4.5), and a sender behind segmentation offload may take a larger EMSS: warned.");
constinit const Rule kWithoutMarkers =
    kSection.must("MPA-4.5-2", "Without markers, MULPDU is EMSS - (6 + EMSS mod 4), and DDP keeps to it.",
                  "RDMAP/A-24, as MPA-4.5-1.");
constinit const Rule kAsLargeAsPossible = kAtVerbs.should("MPA-4.5-3", "DDP's ULPDUs are as large as MULPDU allows.",
                                                          "What DDP had to send at that time is known only above it.");
constinit const Rule kNotBelow128 = kAtVerbs.must_not(
    "MPA-4.5-4", "MULPDU is never below 128 octets, however small EMSS.",
    "RDMAP/A-71. A value inside one implementation; a small ULPDU may as well be the end of a message, unless it "
    "is known how long that is.");
constinit const Rule kNotBelow128InRoom = kAtVerbs.must_not(
    "MPA-4.5-5", "Where less than 128 octets are left in a segment, MULPDU does not shrink to them.", "As MPA-4.5-4.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr std::size_t kMostOctets = 64768;

constexpr const Rule* kRules[] = {&kWithMarkers, &kWithoutMarkers, &kAsLargeAsPossible, &kNotBelow128,
                                  &kNotBelow128InRoom};

constexpr Breach kBreaches[] = {
    {Deviation::mulpdu_of_sixty, kNotBelow128, {.given = "verbs"}},
    {Deviation::mulpdu_of_sixty, kNotBelow128InRoom, {.given = "verbs"}},
};

}  // namespace

SectionRules s4_5_size_rules() {
  return {kRules, kBreaches};
}

void judge_mulpdu(Judge& judge, const Seen& seen) {
  const std::size_t length = seen.fpdu.ulpdu_length();
  const std::uint16_t mss = seen.from.mss;
  if (mss == 0 || length > kMostOctets) return;  // MPA-3-5 has judged that
  const bool markers = seen.connection.agreement.markers[seen.from.side == Side::a ? 0 : 1];
  const std::size_t most = mpa::mulpdu(mss, markers);
  judge.advise(markers ? kWithMarkers : kWithoutMarkers, length <= most, field::kUlpduLength,
               expected([&] { return fmt::format("at most {}", most); }), actual(length),
               [&] { return fmt::format("the peer's maximum segment size is {}", mss); });
}

}  // namespace wirelaw::rdmap
