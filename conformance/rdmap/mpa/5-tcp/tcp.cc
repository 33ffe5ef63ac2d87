// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 5: MPA above TCP, and appendix A.4.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection5_1{"RFC 5044 5.1"};
constexpr Section kSection5_1Stimuli = kSection5_1.by(Observable::stimulus);
constexpr Section kSection5_1AtVerbs = kSection5_1.by(Observable::api);
constexpr Section kSection5_1NotJudged = kSection5_1.by(Observable::none);
constexpr Section kSection5_2 = Section{"RFC 5044 5.2"}.by(Observable::stimulus);

constinit const Rule kCalculatesMulpdu = kSection5_1NotJudged.should(
    "MPA-5.1-1", "A sender calculates MULPDU as 4.5 says.", "Judged as MPA-4.5-1 and MPA-4.5-2.");
constinit const Rule kMtuInstead = kSection5_1AtVerbs.should(
    "MPA-5.1-2", "Where TCP does not report EMSS, a sender takes the MTU for a likely FPDU size.",
    "What TCP reports is known inside the implementation.");
constinit const Rule kFpduAligned = kSection5_1.should(
    "MPA-5.1-3", "A sender does what TCP allows to begin segments with FPDUs (FPDU Alignment).",
    "Alignment may be lost for good reasons, so a sender is warned only where most of its FPDUs lie in two segments "
    "although one could have held them. Judged where the MSS is known and no piece of the stream is longer, which "
    "would show that segments have been put together. The one check that depends on how the stream is cut.");
constinit const Rule kUnalignedTaken = kSection5_1Stimuli.must(
    "MPA-5.1-4", "A receiver works whatever the alignment: FPDUs cut anywhere, octet by octet, or packed.",
    "Appendix A.4 says the same.");
constinit const Rule kBoundariesByLength =
    kSection5_2.must("MPA-5.2-1", "A receiver above an ordinary TCP finds FPDUs by ULPDU_Length.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr const Rule* kRules[] = {&kCalculatesMulpdu, &kMtuInstead, &kFpduAligned, &kUnalignedTaken,
                                  &kBoundariesByLength};

constexpr std::uint64_t kEnough = 16;  // FPDUs from which a habit shows
// Beyond the largest Ethernet frames there is no link that a segment would have crossed as it is in the trace.
constexpr std::uint16_t kLargestSegment = 16 << 10;

constexpr Breach kBreaches[] = {
    {Deviation::send_lost, kUnalignedTaken, {.who = wirelaw::Role::responder}},
    {Deviation::send_lost, kBoundariesByLength, {.who = wirelaw::Role::responder}},
};

}  // namespace

SectionRules s5_tcp_rules() {
  return {kRules, kBreaches};
}

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
  judge.advise(kFpduAligned, from.fitting < kEnough || from.astray * 2 <= from.fitting, octets(0, 0),
               expected("FPDUs that lie in one segment"),
               actual([&] { return fmt::format("{} of {} lie in more", from.astray, from.fitting); }));
}

}  // namespace wirelaw::rdmap
