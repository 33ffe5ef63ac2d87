// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.3. Judged by stimuli of other sections.
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

namespace {

constexpr Section kSection = Section{"RFC 5040 4.3"}.by(Observable::api);

constinit const Rule kNoHeader = kSection.must(
    "RDMAP-4.3-1", "An RDMA Write has no RDMAP header: ULP payload follows the DDP header at once.",
    "a header would be payload to whoever does not know the ULP's data; it shows in the buffer that was written");

constexpr Breach kBreaches[] = {
    {Deviation::header_before_payload, kNoHeader, {.given = "verbs"}},
};

}  // namespace

SectionRules write_header_rules() {
  static constexpr const Rule* kRules[] = {&kNoHeader};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
