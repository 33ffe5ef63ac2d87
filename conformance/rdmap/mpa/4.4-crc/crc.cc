// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 4.4: the CRC. One that does not hold is reported under the rule that its sender has broken, where
// the FPDU shows which.
#include <algorithm>

#include "conformance/rdmap/mpa/4.4-crc/crc_fault.h"
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection{"RFC 5044 4.4"};
constexpr Section kStimuli = kSection.by(Observable::stimulus);
constexpr Section kAtVerbs = kSection.by(Observable::api);
constexpr Section kNotJudged = kSection.by(Observable::none);

constinit const Rule kCrcImplemented =
    kNotJudged.must("MPA-4.4-1", "CRCs are implemented.",
                    "An implementation without them breaks MPA-4.4-6 as soon as its peer sets C.");
constinit const Rule kCrcByDefault = kStimuli.must(
    "MPA-4.4-2", "CRCs are asked for unless the administrator has said otherwise.",
    "RDMAP/A-29: C=0 may follow an administrator's word, so a case warns of it and a trace says nothing.");
constinit const Rule kOnlyIfProtected = kAtVerbs.should_not(
    "MPA-4.4-3", "An administrator does not suppress CRCs unless something else protects the connection as well.",
    "What protects the connection is the administrator's to know.");
constinit const Rule kInvisible = kAtVerbs.must("MPA-4.4-4", "Whether CRCs are in use is not visible to the ULP.",
                                                "The interface to the ULP shows it.");
constinit const Rule kGoesOn =
    kSection.must("MPA-4.4-5", "A side whose peer asks for CRCs generates them until the connection ends.",
                  "Detected by a CRC field that is zero where CRCs are in use.");
constinit const Rule kCrc32c =
    kSection.must("MPA-4.4-6", "Where CRCs are in use, each FPDU has the CRC32c of its octets.");
constinit const Rule kOctetOrder =
    kSection.must("MPA-4.4-7", "The CRC's octets are in the order of iSCSI's digests: least significant first.",
                  "The examples of figures 5 and 6 show it.");
constinit const Rule kCoversMarkers = kSection.must(
    "MPA-4.4-8", "The CRC covers all from ULPDU_Length to the last pad octet, the markers in between included.",
    "RFC 5044, 4.3 says the same of the markers.");
constinit const Rule kCoversMarkerBehind =
    kSection.must("MPA-4.4-9", "A marker between PAD and CRC is covered by that CRC.");
constinit const Rule kCoversMarkerBefore =
    kSection.must("MPA-4.4-10", "A marker right before ULPDU_Length is covered by the CRC of the FPDU that follows it.",
                  "RFC 5044, 4.3 says the same.");
constinit const Rule kBadCrcInvalid = kStimuli.must(
    "MPA-4.4-11",
    "A receiver that checks CRCs takes an FPDU whose CRC does not hold for invalid: nothing of it arrives.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

// What a fault is reported as.
struct Report {
  CrcFault fault;
  const Rule* rule;
  OctetRange (*where)(const mpa::Fpdu&);
  std::string_view why;
};
constexpr auto kAtCrc = [](const mpa::Fpdu& fpdu) { return field::crc(fpdu); };
constexpr auto kAtPad = [](const mpa::Fpdu& fpdu) { return field::pad(fpdu); };
constexpr auto kAtLength = [](const mpa::Fpdu&) { return field::kUlpduLength; };
constexpr Report kReports[] = {
    {CrcFault::wrong, &kCrc32c, kAtCrc, {}},
    {CrcFault::absent, &kGoesOn, kAtCrc, "no CRC has been generated"},
    {CrcFault::octet_order, &kOctetOrder, kAtCrc, "it would hold with its octets the other way round"},
    {CrcFault::all_markers, &kCoversMarkers, kAtCrc, "it holds without the markers"},
    {CrcFault::marker_before, &kCoversMarkerBefore, kAtCrc, "it holds without the marker before ULPDU_Length"},
    {CrcFault::marker_behind, &kCoversMarkerBehind, kAtCrc, "it holds without the marker before it"},
    {CrcFault::missing_marker, &kMarkerInterval, kAtLength, "a CRC holds if no marker is taken out where one is due"},
    {CrcFault::ulpdu_length, &kUlpduLengthCounts, kAtLength, "a CRC holds for a shorter FPDU"},
    {CrcFault::pad_count, &kPadCount, kAtPad, "a CRC holds for another number of pad octets"},
};

// What an FPDU whose CRC holds has kept.
void keep(Judge& judge, const mpa::Fpdu& fpdu) {
  const auto kept = [&](const Rule& rule) { judge.require(rule, true, {}, expected(0), actual(0)); };
  for (const Rule* rule : {&kGoesOn, &kCrc32c, &kOctetOrder, &kUlpduLengthCounts, &kPadCount}) kept(*rule);
  if (fpdu.markers.empty()) return;
  kept(kCoversMarkers);
  if (fpdu.markers.front().position < fpdu.position) kept(kCoversMarkerBefore);
  if (fpdu.markers.back().position + mpa::kMarkerOctets + mpa::kCrcOctets == fpdu.end) kept(kCoversMarkerBehind);
}

// Looking for the reason costs more than a CRC; a sender that is always wrong is wrong for one reason.
constexpr std::uint32_t kReasonsSought = 3;

constexpr Breach kBreaches[] = {
    {Deviation::crc_off, kGoesOn},
    {Deviation::crc_wrong, kCrc32c},
    {Deviation::crc_not_checked, kBadCrcInvalid},
};

}  // namespace

SectionRules s4_4_crc_rules() {
  static constexpr const Rule* kRules[] = {
      &kCrcImplemented, &kCrcByDefault,  &kOnlyIfProtected,    &kInvisible,          &kGoesOn,       &kCrc32c,
      &kOctetOrder,     &kCoversMarkers, &kCoversMarkerBehind, &kCoversMarkerBefore, &kBadCrcInvalid};
  return {kRules, kBreaches};
}

bool judge_crc(Judge& judge, const Seen& seen) {
  const mpa::Fpdu& fpdu = seen.fpdu;
  if (fpdu.crc_holds()) {
    keep(judge, fpdu);
    return true;
  }
  const CrcFault fault = seen.from.crc_failures++ < kReasonsSought ? crc_fault(fpdu) : CrcFault::wrong;
  const Report& report = *std::ranges::find(kReports, fault, &Report::fault);
  judge.require(*report.rule, false, report.where(fpdu), expected([&] { return say(hex(fpdu.computed)); }),
                actual([&] { return say(hex(fpdu.crc)); }), report.why);
  seen.from.misframed = true;
  return false;
}

}  // namespace wirelaw::rdmap
