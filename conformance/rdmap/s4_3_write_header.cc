// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.3. Judged by stimuli: s4_3_cases.cc.
#include "conformance/rdmap/messages.h"

namespace wirelaw::rdmap {

RuleList write_header_rules() {
  static constinit const Rule kNoHeader = rdmap_rule(
      "RDMAP-4.3-1", Level::must, "RFC 5040 4.3", Observable::api,
      "An RDMA Write has no RDMAP header: ULP payload follows the DDP header at once.",
      "a header would be payload to whoever does not know the ULP's data; it shows in the buffer that was written");
  static constexpr const Rule* kRules[] = {&kNoHeader};
  return kRules;
}

}  // namespace wirelaw::rdmap
