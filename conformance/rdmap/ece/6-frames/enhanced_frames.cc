// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 6: start frames with enhanced data.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection{"RFC 6581 6"};
constexpr Section kNotJudged = kSection.by(Observable::none);
constexpr Section kResponderStimuli = kSection.of(wirelaw::Role::responder).by(Observable::stimulus);

constinit const Rule kRevision2 = kSection.must("ECE-6-1", "A frame with S set has revision 2 or higher.",
                                                "RDMAP/A-30: in revision 1 the bit is reserved.");
constinit const Rule kRevision1Accepted = kResponderStimuli.must(
    "ECE-6-2", "A responder goes on accepting requests of revision 1, even if it knows revision 2.");
constinit const Rule kDataThere = kSection.must(
    "ECE-6-3", "With S set, the private data begins with the four octets of enhanced data, which PD_Length counts.");
constinit const Rule kNoDataWithoutS =
    kNotJudged.must("ECE-6-4", "With S zero, no enhanced data is in the private data.",
                    "The ULP's own private data may be any octets, so that they may look like it.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr const Rule* kRules[] = {&kRevision2, &kRevision1Accepted, &kDataThere, &kNoDataWithoutS};

constexpr Breach kBreaches[] = {
    {Deviation::closes_on_revision_one, kRevision1Accepted},
};

}  // namespace

SectionRules ece_6_rules() {
  return {kRules, kBreaches};
}

void judge_enhanced_format(Judge& judge, const mpa::StartFrame& frame) {
  if (!frame.enhanced) return;
  if (!judge.require(kRevision2, frame.revision >= mpa::kRevision2, field::kRevision, expected("2"),
                     actual(frame.revision), "S is set"))
    return;
  judge.require(kDataThere, frame.private_data_length >= mpa::layout::kEnhanced, field::kPrivateDataLength,
                expected("at least 4"), actual(frame.private_data_length), "S is set");
}

}  // namespace wirelaw::rdmap
