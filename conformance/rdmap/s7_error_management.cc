// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7: what becomes of the streams when RDMAP or DDP has found an error.
#include "conformance/rdmap/terminate_seen.h"

namespace wirelaw::rdmap {

RuleList error_management_rules() {
  static constexpr auto rule = [](std::string_view id, Level level, Observable observable, std::string_view summary,
                                  std::string_view note = {}) {
    return Rule{id, level, Role::any, "RFC 5040 7", observable, summary, note};
  };
  static constinit const Rule kAborted =
      rule("RDMAP-7-1", Level::must, Observable::stimulus,
           "An error at the RDMAP or DDP layer ends the RDMAP, DDP and LLP Streams abortively.");
  static constinit const Rule kLabelled =
      rule("RDMAP-7-2", Level::must, Observable::none,
           "An LLP that cannot tear down one stream of several labels it erroneous.",
           "MPA over TCP has one stream in a connection, and tears it down");
  static constinit const Rule kNoFurtherTransfer =
      rule("RDMAP-7-3", Level::must_not, Observable::stimulus,
           "After RDMAP has asked for a stream to be torn down, no data is transferred on it.");
  static constinit const Rule kConnectionTornDown =
      rule("RDMAP-7-4", Level::must, Observable::stimulus,
           "When all its streams are torn down or erroneous, the LLP connection is torn down.",
           "With MPA over TCP: after a Terminate the connection is closed");
  static constexpr const Rule* kRules[] = {&kAborted, &kLabelled, &kNoFurtherTransfer, &kConnectionTornDown};
  return kRules;
}

}  // namespace wirelaw::rdmap
