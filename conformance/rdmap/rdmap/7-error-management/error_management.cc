// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7: what becomes of the streams when RDMAP or DDP has found an error.
#include "conformance/rdmap/rdmap/terminate_seen.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

namespace {

constexpr Section kSection = Section{"RFC 5040 7"}.by(Observable::none);

constinit const Rule kLabelled =
    kSection.must("RDMAP-7-2", "An LLP that cannot tear down one stream of several labels it erroneous.",
                  "MPA over TCP has one stream in a connection, and tears it down");

}  // namespace

SectionRules error_management_rules() {
  static constexpr const Rule* kRules[] = {&kLabelled};
  return {kRules};
}

}  // namespace wirelaw::rdmap
