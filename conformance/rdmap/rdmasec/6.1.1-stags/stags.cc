// SPDX-License-Identifier: Apache-2.0
// RFC 5042: what it asks of an implementation of RDMAP and DDP and RFC 5040, 8.1, and RFC 5041, 8.3, do not ask again
// in so many words (security.cc, ddp_security.cc). What it asks of upper layers is theirs to show.
#include "conformance/rdmap/rdmap/terminate_seen.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

namespace {

constexpr Section kSection6_1_1 = Section{"RFC 5042 6.1.1"}.by(Observable::api);
constexpr Section kSection7_2 = Section{"RFC 5042 7.2"}.by(Observable::api);
constexpr std::string_view kVerbs = "the verbs that register memory and make queues show it";

constinit const Rule kScope = kSection6_1_1.must(
    "RDMASEC-6.1.1-1",
    "Without sharing of STags, each stream has a protection domain of its own or each STag a single stream.", kVerbs);
constinit const Rule kReadQueueEntries = kSection7_2.must(
    "RDMASEC-7.2-1",
    "Interfaces that allocate entries of the Read Request queue are open to a trusted local peer only.", kVerbs);

constexpr Breach kBreaches[] = {
    {Deviation::protection_domains_ignored, kScope, {.given = "verbs pair"}},
};

}  // namespace

SectionRules security_rules() {
  static constexpr const Rule* kRules[] = {&kScope, &kReadQueueEntries};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
