// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.6.
#include "conformance/rdmap/messages.h"

namespace wirelaw::rdmap {

RuleList send_header_rules() {
  static constexpr std::string_view kSection = "RFC 5040 4.6";
  static constexpr std::string_view kWhere =
      "it would be payload to whoever does not know the ULP's data: the ULP sees it";
  static constinit const Rule kSend =
      rdmap_rule("RDMAP-4.6-1", Level::must, kSection, Observable::api,
                 "A Send has no RDMAP header: ULP payload follows the DDP header at once.", kWhere);
  static constinit const Rule kSendSe = rdmap_rule(
      "RDMAP-4.6-2", Level::must, kSection, Observable::api,
      "A Send with Solicited Event has no RDMAP header: ULP payload follows the DDP header at once.", kWhere);
  static constexpr const Rule* kRules[] = {&kSend, &kSendSe};
  return kRules;
}

}  // namespace wirelaw::rdmap
