// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.7. (Its last reference is to the wrong picture of appendix A, which demands nothing: A-15.)
#include "conformance/rdmap/messages.h"

namespace wirelaw::rdmap {

RuleList send_invalidate_header_rules() {
  static constexpr std::string_view kSection = "RFC 5040 4.7";
  static constexpr std::string_view kWhere =
      "it would be payload to whoever does not know the ULP's data: the ULP sees it";
  static constinit const Rule kSendInvalidate =
      rdmap_rule("RDMAP-4.7-1", Level::must, kSection, Observable::api,
                 "A Send with Invalidate has no RDMAP header: ULP payload follows the DDP header at once.", kWhere);
  static constinit const Rule kSendSeInvalidate = rdmap_rule(
      "RDMAP-4.7-2", Level::must, kSection, Observable::api,
      "A Send with Solicited Event and Invalidate has no RDMAP header: ULP payload follows the DDP header at once.",
      kWhere);
  static constexpr const Rule* kRules[] = {&kSendInvalidate, &kSendSeInvalidate};
  return kRules;
}

}  // namespace wirelaw::rdmap
