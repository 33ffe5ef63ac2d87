// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 6: how a receiver finds FPDUs.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection = Section{"RFC 5044 6"}.by(Observable::none);
constexpr Section kStimuli = kSection.by(Observable::stimulus);

constinit const Rule kVerifiedFirst = kSection.must(
    "MPA-6-1", "An FPDU is verified, its CRC with it where CRCs are checked, before its ULPDU is passed to DDP.",
    "Judged as MPA-4.4-11.");
constinit const Rule kFoundUnambiguously = kSection.must(
    "MPA-6-2", "The start of an FPDU is found by the ULPDU_Length of the one before it, or by a marker.",
    "Which of the two was used does not show; that FPDUs are found is judged as MPA-5.1-4 and MPA-5.2-1.");
constinit const Rule kWholeFirst =
    kStimuli.must("MPA-6-3", "A ULPDU is passed on only when ULPDU_Length says that all of its FPDU is there.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr const Rule* kRules[] = {&kVerifiedFirst, &kFoundUnambiguously, &kWholeFirst};

constexpr Breach kBreaches[] = {
    {Deviation::goes_silent, kWholeFirst},
    {Deviation::accepts_short_ulpdu, kWholeFirst},
    {Deviation::dies_of_short_ulpdu, kWholeFirst},
};

}  // namespace

SectionRules s6_identification_rules() {
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
