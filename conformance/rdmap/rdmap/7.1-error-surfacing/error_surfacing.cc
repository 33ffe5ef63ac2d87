// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7.1: the errors reported to the peer, and the messages that report them.
#include <algorithm>

#include "conformance/rdmap/rdmap/7.1-error-surfacing/rules.h"
#include "conformance/rdmap/rdmap/terminate_checks.h"

namespace wirelaw::rdmap {

void check_absent_headers(Judge& judge, const TerminateFact& fact) {
  if (fact.terminate.cut) return;
  const Octets tail = fact.terminate.tail;
  const bool zero = std::ranges::all_of(tail, [](Octet octet) { return octet == 0; });
  const OctetRange where = field::terminate(fact.octets - tail.size(), tail.size());
  const auto want = expected("nothing after what HdrCt announces");
  const auto got = actual([&] { return fmt::format("{} octets{}", tail.size(), zero ? " of zero" : ""); });
  if (!tail.empty() && zero)
    judge.advise(rule<"RDMAP-7.1-2">, false, where, want, got);
  else
    judge.require(rule<"RDMAP-7.1-2">, zero, where, want, got);
}

// RDMAP/A-68. The code of both faults is the same, so this is not about what is looked at first.
void check_first_fault(Judge& judge, const TerminateFact& fact) {
  if (!fact.is_history_known || !fact.blamed || fact.blamed->came != Came::whole) return;
  if (!fact.blamed->has_fault(fact.error())) return;
  judge.advise(rule<"RDMAP-7.1-9">, !fact.blamed->is_repeated, field::terminated_ddp_header(fact.terminate),
               expected("the header of the first segment with this error"), actual("that of a later one"),
               "a receiver may look at its messages in another order");
}

}  // namespace wirelaw::rdmap
