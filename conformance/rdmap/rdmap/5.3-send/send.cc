// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.3: the Send Message Type. What a stimulus can show of it is in send_cases.cc.
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

namespace {

constexpr Section kSection = Section{"RFC 5040 5.3"}.by(Observable::none);
constexpr Section kAtVerbs = kSection.by(Observable::api);

constinit const Rule kIsUntagged =
    kSection.must("RDMAP-5.3-1", "A Send of any type is marked as untagged.", "judged by RDMAP-4.1-13 to -16");
constinit const Rule kQueueIsZero =
    kSection.must("RDMAP-5.3-6", "A Send of any type is on queue 0.", "judged by RDMAP-4.1-23 to -26");
constinit const Rule kInSubmittedOrder =
    kAtVerbs.must("RDMAP-5.3-7", "Sends are issued in the order in which the ULP has submitted them.",
                  "known to the user of the verbs");
constinit const Rule kReferencesAnStag =
    kAtVerbs.must("RDMAP-5.3-9", "A Send with Invalidate of either type references an STag.",
                  "RDMAP/A-16: any 32 bits may be one; whether it is the one that was meant is known to verbs");

constexpr Breach kBreaches[] = {
    {Deviation::work_reordered, kInSubmittedOrder, {.given = "verbs pair"}},
    {Deviation::invalidate_stag_lost, kReferencesAnStag, {.given = "verbs pair"}},
};

}  // namespace

SectionRules send_rules() {
  static constexpr const Rule* kRules[] = {&kIsUntagged, &kQueueIsZero, &kInSubmittedOrder, &kReferencesAnStag};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
