// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.5.
#include "conformance/rdmap/messages.h"

namespace wirelaw::rdmap {

RuleList read_response_header_rules() {
  static constinit const Rule kNoHeader =
      rdmap_rule("RDMAP-4.5-1", Level::must, "RFC 5040 4.5", Observable::none,
                 "An RDMA Read Response has no RDMAP header: ULP payload follows the DDP header at once.",
                 "a header would make the response longer than what was asked for: judged by RDMAP-4.4-5");
  static constexpr const Rule* kRules[] = {&kNoHeader};
  return kRules;
}

}  // namespace wirelaw::rdmap
