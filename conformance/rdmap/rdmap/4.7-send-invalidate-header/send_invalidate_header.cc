// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.7. (Its last reference is to the wrong picture of appendix A, which demands nothing: RDMAP/A-15.)
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

namespace {

constexpr Section kSection = Section{"RFC 5040 4.7"}.by(Observable::api);
constexpr std::string_view kWhere = "it would be payload to whoever does not know the ULP's data: the ULP sees it";

constinit const Rule kSendInvalidate = kSection.must(
    "RDMAP-4.7-1", "A Send with Invalidate has no RDMAP header: ULP payload follows the DDP header at once.", kWhere);
constinit const Rule kSendSeInvalidate = kSection.must(
    "RDMAP-4.7-2",
    "A Send with Solicited Event and Invalidate has no RDMAP header: ULP payload follows the DDP header at once.",
    kWhere);

constexpr Breach kBreaches[] = {
    {Deviation::header_before_payload, kSendInvalidate, {.given = "verbs"}},
    {Deviation::header_before_payload, kSendSeInvalidate, {.given = "verbs"}},
};

}  // namespace

SectionRules send_invalidate_header_rules() {
  static constexpr const Rule* kRules[] = {&kSendInvalidate, &kSendSeInvalidate};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
