// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 5.3: the order of messages, and of segments within one. Judged in the account of messages.
#include "conformance/rdmap/ddp/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

constexpr Section kSection{"RFC 5041 5.3"};

constinit const Rule kSubmittedOrder = kSection.must(
    "DDP-5.3-1", "Messages are sent in the order in which they were submitted, one after the other.",
    "RDMAP/A-38: segments of two messages mixed are not forbidden in words, so a breach is a warning; the "
    "order of submission itself is known to verbs");
constinit const Rule kIncreasingOffsets =
    kSection.should("DDP-5.3-2", "The segments of a message are sent with increasing MO or TO.", "RDMAP/A-23");

constexpr Breach kBreaches[] = {
    {Deviation::messages_interleaved,
     kSubmittedOrder,
     {.who = wirelaw::Role::initiator, .severity = Severity::warning}},
};

SectionRules ddp_ordering_rules() {
  static constexpr const Rule* kRules[] = {&kSubmittedOrder, &kIncreasingOffsets};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
