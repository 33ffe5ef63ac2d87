// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7: what becomes of the streams when RDMAP or DDP has found an error.
#include "conformance/rdmap/terminate_seen.h"

namespace wirelaw::rdmap {

RuleList error_management_rules() {
  static constexpr auto rule = [](std::string_view id, Level level, Observable observable, std::string_view summary,
                                  std::string_view note = {}) {
    return Rule{id, level, Role::any, "RFC 5040 7", observable, summary, note};
  };
  static constinit const Rule kLabelled =
      rule("RDMAP-7-2", Level::must, Observable::none,
           "An LLP that cannot tear down one stream of several labels it erroneous.",
           "MPA over TCP has one stream in a connection, and tears it down");
  static constexpr const Rule* kRules[] = {&kLabelled};
  return kRules;
}

}  // namespace wirelaw::rdmap
