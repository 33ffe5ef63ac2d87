// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 3.1: what RDMAP asks of the layers below it. (Section 2 defines words, section 3.2 describes an
// interface to the ULP; neither demands anything.)
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

namespace {

constexpr Section kSection = Section{"RFC 5040 3.1"}.by(Observable::none);

constinit const Rule kOverDdp =
    kSection.must("RDMAP-3.1-1", "RDMAP is layered on DDP.", "what is not DDP breaks DDP-4.2 to DDP-4.4");
constinit const Rule kOneToOne = kSection.must("RDMAP-3.1-2", "One RDMA Message is one DDP message.",
                                               "what an RDMA Message holds is judged message by message in 4.2 to 4.8");
constinit const Rule kRsvdUlpOctets =
    kSection.must("RDMAP-3.1-3", "RsvdULP has one octet in tagged messages and five in untagged ones.",
                  "judged by DDP-4.2-1 and DDP-4.3-1");
constinit const Rule kErrorsArePropagated =
    kSection.must("RDMAP-3.1-4", "DDP passes its errors to RDMAP, with the header of the segment where that is known.",
                  "seen in the Terminates that RDMAP then sends: RDMAP-4.8");

}  // namespace

SectionRules transport_rules() {
  static constexpr const Rule* kRules[] = {&kOverDdp, &kOneToOne, &kRsvdUlpOctets, &kErrorsArePropagated};
  return {kRules};
}

}  // namespace wirelaw::rdmap
