// SPDX-License-Identifier: Apache-2.0
// RFC 5042: what it asks of an implementation of RDMAP and DDP and RFC 5040, 8.1, and RFC 5041, 8.3, do not ask again
// in so many words (s8_security.cc, ddp/s8_security.cc). What it asks of upper layers is theirs to show.
#include "conformance/rdmap/terminate_seen.h"

namespace wirelaw::rdmap {

RuleList security_rules() {
  static constexpr auto rule = [](std::string_view id, Level level, std::string_view section, Observable observable,
                                  std::string_view summary, std::string_view note = {}) {
    return Rule{id, level, Role::any, section, observable, summary, note};
  };
  static constexpr std::string_view kVerbs = "the verbs that register memory and make queues show it";
  static constinit const Rule kScope = rule(
      "RDMASEC-6.1.1-1", Level::must, "RFC 5042 6.1.1", Observable::api,
      "Without sharing of STags, each stream has a protection domain of its own or each STag a single stream.", kVerbs);
  static constinit const Rule kReadQueueEntries =
      rule("RDMASEC-7.2-1", Level::must, "RFC 5042 7.2", Observable::api,
           "Interfaces that allocate entries of the Read Request queue are open to a trusted local peer only.", kVerbs);
  static constexpr const Rule* kRules[] = {&kScope, &kReadQueueEntries};
  return kRules;
}

}  // namespace wirelaw::rdmap
