// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 1.2: what the overview already demands.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 5044 1.2"}.by(Observable::api);

constinit const Rule kOrderIndicated =
    kSection.must("MPA-1.2-1",
                  "A receiver that recovers ULPDUs out of order reports to DDP how they were ordered and when what was "
                  "missing has come.",
                  "Between MPA and DDP inside one implementation; a verbs consumer sees completions in order.");
constinit const Rule kCrcUnlessProtected =
    kSection.must("MPA-1.2-2", "CRCs are in use unless the path is known to protect data at least as well.",
                  "What is known of the path is the administrator's; MPA-4.4-2 warns where CRCs are not asked for.");

constexpr const Rule* kRules[] = {&kOrderIndicated, &kCrcUnlessProtected};

}  // namespace

SectionRules s1_overview_rules() {
  return {kRules};
}

}  // namespace wirelaw::rdmap
