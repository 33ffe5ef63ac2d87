// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 8: errors, and the Terminates that answer them.
#include "conformance/rdmap/rdmapx/extensions.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

namespace {

constexpr Section kSection = Section{"RFC 7306 8.1"}.by(Observable::api);

constinit const Rule kOwnErrors = kSection.must(
    "RDMAPX-8.1-1",
    "An error found while one of these messages is created sends a Terminate in its place, without headers.",
    "RDMAP/A-20: only the application can bring such an error about");

constexpr Breach kBreaches[] = {
    {Deviation::terminate_missing, kOwnErrors, {.given = "verbs"}},
};

}  // namespace

SectionRules extension_error_rules() {
  static constexpr const Rule* kRules[] = {&kOwnErrors};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
