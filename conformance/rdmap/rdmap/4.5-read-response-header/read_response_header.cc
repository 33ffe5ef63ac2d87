// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.5.
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

namespace {

constexpr Section kSection = Section{"RFC 5040 4.5"}.by(Observable::none);

constinit const Rule kNoHeader = kSection.must(
    "RDMAP-4.5-1", "An RDMA Read Response has no RDMAP header: ULP payload follows the DDP header at once.",
    "a header would make the response longer than what was asked for: judged by RDMAP-4.4-5");

}  // namespace

SectionRules read_response_header_rules() {
  static constexpr const Rule* kRules[] = {&kNoHeader};
  return {kRules};
}

}  // namespace wirelaw::rdmap
