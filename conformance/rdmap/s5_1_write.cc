// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.1: RDMA Write. What a stimulus can show of it is in s5_1_cases.cc.
#include "conformance/rdmap/messages.h"

namespace wirelaw::rdmap {

RuleList write_rules() {
  static constexpr std::string_view kSection = "RFC 5040 5.1";
  static constinit const Rule kIsTagged = rdmap_rule("RDMAP-5.1-1", Level::must, kSection, Observable::none,
                                                     "An RDMA Write is marked as tagged.", "judged by RDMAP-4.1-10");
  static constinit const Rule kInSubmittedOrder = rdmap_rule(
      "RDMAP-5.1-4", Level::must, kSection, Observable::api,
      "RDMA Writes are issued in the order in which the ULP has submitted them.", "known to the user of the verbs");
  static constinit const Rule kOneBuffer =
      rdmap_rule("RDMAP-5.1-5", Level::must, kSection, Observable::none,
                 "One RDMA Write writes to one tagged buffer; several buffers take several Writes.",
                 "judged by DDP-4.2-8: one message has one STag");
  static constexpr const Rule* kRules[] = {&kIsTagged, &kInSubmittedOrder, &kOneBuffer};
  return kRules;
}

}  // namespace wirelaw::rdmap
