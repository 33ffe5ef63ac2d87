// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.2: the header of tagged segments. DDP-4.2-5 is in tagged_header_cases.cc.
#include "conformance/rdmap/ddp/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

constexpr Section kSection{"RFC 5041 4.2"};
constexpr Section kAtVerbs = kSection.by(Observable::api);

constinit const Rule kTaggedHeaderIsWhole =
    kSection.must("DDP-4.2-1", "A tagged segment has the whole tagged header of 14 octets (figure 4).");
constinit const Rule kRsvdUlpIsTheUlps = kAtVerbs.must("DDP-4.2-2", "DDP sends the RsvdULP that its ULP has given it.",
                                                       "what RDMAP meant by it is known to verbs alone");
constinit const Rule kRsvdUlpHandedUp =
    kAtVerbs.must("DDP-4.2-3", "DDP hands RsvdULP up with the message.", "between DDP and RDMAP of one implementation");
constinit const Rule kSameRsvdUlpTagged =
    kSection.must("DDP-4.2-4", "RsvdULP is the same in each segment of a tagged message.");
constinit const Rule kStagIsTheUlps =
    kAtVerbs.must("DDP-4.2-6", "DDP sends the STag that its ULP has given it.",
                  "seen through verbs; that of a Read Response is judged by RDMAP-4.4");
constinit const Rule kStagHandedUp = kAtVerbs.must("DDP-4.2-7", "DDP hands the STag up with the message.",
                                                   "between DDP and RDMAP of one implementation");
constinit const Rule kSameStag = kSection.must("DDP-4.2-8", "The STag is the same in each segment of a tagged message.",
                                               "RDMAP/A-25: the STag of a segment without payload means nothing");

constexpr Breach kBreaches[] = {
    {Deviation::header_before_payload, kRsvdUlpIsTheUlps, {.given = "verbs"}},
    {Deviation::to_wrong, kStagIsTheUlps, {.given = "verbs pair"}},
    {Deviation::stag_changes, kSameStag},
};

SectionRules ddp_tagged_rules() {
  static constexpr const Rule* kRules[] = {
      &kTaggedHeaderIsWhole, &kRsvdUlpIsTheUlps, &kRsvdUlpHandedUp, &kSameRsvdUlpTagged,
      &kStagIsTheUlps,       &kStagHandedUp,     &kSameStag};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
