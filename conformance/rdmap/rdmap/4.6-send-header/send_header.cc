// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.6.
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

namespace {

constexpr Section kSection = Section{"RFC 5040 4.6"}.by(Observable::api);
constexpr std::string_view kWhere = "it would be payload to whoever does not know the ULP's data: the ULP sees it";

constinit const Rule kSend =
    kSection.must("RDMAP-4.6-1", "A Send has no RDMAP header: ULP payload follows the DDP header at once.", kWhere);
constinit const Rule kSendSe = kSection.must(
    "RDMAP-4.6-2", "A Send with Solicited Event has no RDMAP header: ULP payload follows the DDP header at once.",
    kWhere);

constexpr Breach kBreaches[] = {
    {Deviation::header_before_payload, kSend, {.given = "verbs"}},
    {Deviation::header_before_payload, kSendSe, {.given = "verbs"}},
};

}  // namespace

SectionRules send_header_rules() {
  static constexpr const Rule* kRules[] = {&kSend, &kSendSe};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
