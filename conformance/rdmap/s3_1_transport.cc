// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 3.1: what RDMAP asks of the layers below it. (Section 2 defines words, section 3.2 describes an
// interface to the ULP; neither demands anything.)
#include "conformance/rdmap/messages.h"

namespace wirelaw::rdmap {

RuleList transport_rules() {
  static constexpr std::string_view kSection = "RFC 5040 3.1";
  static constinit const Rule kOverDdp =
      rdmap_rule("RDMAP-3.1-1", Level::must, kSection, Observable::none, "RDMAP is layered on DDP.",
                 "what is not DDP breaks DDP-4.2 to DDP-4.4");
  static constinit const Rule kOneToOne =
      rdmap_rule("RDMAP-3.1-2", Level::must, kSection, Observable::none, "One RDMA Message is one DDP message.",
                 "what an RDMA Message holds is judged message by message in 4.2 to 4.8");
  static constinit const Rule kRsvdUlpOctets = rdmap_rule(
      "RDMAP-3.1-3", Level::must, kSection, Observable::none,
      "RsvdULP has one octet in tagged messages and five in untagged ones.", "judged by DDP-4.2-1 and DDP-4.3-1");
  static constinit const Rule kErrorsArePropagated =
      rdmap_rule("RDMAP-3.1-4", Level::must, kSection, Observable::none,
                 "DDP passes its errors to RDMAP, with the header of the segment where that is known.",
                 "seen in the Terminates that RDMAP then sends: RDMAP-4.8");
  static constexpr const Rule* kRules[] = {&kOverDdp, &kOneToOne, &kRsvdUlpOctets, &kErrorsArePropagated};
  return kRules;
}

}  // namespace wirelaw::rdmap
