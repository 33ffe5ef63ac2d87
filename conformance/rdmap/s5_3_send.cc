// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.3: the Send Message Type. What a stimulus can show of it is in s5_3_cases.cc.
#include "conformance/rdmap/messages.h"

namespace wirelaw::rdmap {

RuleList send_rules() {
  static constexpr std::string_view kSection = "RFC 5040 5.3";
  static constinit const Rule kIsUntagged =
      rdmap_rule("RDMAP-5.3-1", Level::must, kSection, Observable::none, "A Send of any type is marked as untagged.",
                 "judged by RDMAP-4.1-13 to -16");
  static constinit const Rule kQueueIsZero =
      rdmap_rule("RDMAP-5.3-6", Level::must, kSection, Observable::none, "A Send of any type is on queue 0.",
                 "judged by RDMAP-4.1-23 to -26");
  static constinit const Rule kInSubmittedOrder = rdmap_rule(
      "RDMAP-5.3-7", Level::must, kSection, Observable::api,
      "Sends are issued in the order in which the ULP has submitted them.", "known to the user of the verbs");
  static constinit const Rule kReferencesAnStag =
      rdmap_rule("RDMAP-5.3-9", Level::must, kSection, Observable::api,
                 "A Send with Invalidate of either type references an STag.",
                 "A-16: any 32 bits may be one; whether it is the one that was meant is known to verbs");
  static constexpr const Rule* kRules[] = {&kIsUntagged, &kQueueIsZero, &kInSubmittedOrder, &kReferencesAnStag};
  return kRules;
}

}  // namespace wirelaw::rdmap
