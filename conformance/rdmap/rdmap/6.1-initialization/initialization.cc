// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 6.1: the limit on outstanding Reads.
#include "conformance/rdmap/rdmap/6.1-initialization/rules.h"
#include "conformance/rdmap/rdmap/messages.h"

namespace wirelaw::rdmap {

void check_outstanding_reads(Judge& judge, const OutstandingFact& fact, Evidence evidence) {
  const auto at_most = expected([&] { return fmt::format("at most {}", fact.limit); });
  // RFC 7306 has Atomic Operations share the flow control of Reads (5.2), and their number negotiated apart (5.2.2).
  if (fact.reads <= fact.limit && fact.all > fact.limit)
    judge.advise(rule<"RDMAP-6.1-6">, false, field::kMsn, at_most, actual(fact.all),
                 "RDMA Reads and Atomic Operations outstanding with this one");
  else
    judge.require(rule<"RDMAP-6.1-6">, fact.reads <= fact.limit, field::kMsn, at_most, actual(fact.reads),
                  evidence == Evidence::octets
                      ? "RDMA Reads outstanding with this one"
                      : "RDMA Reads outstanding with this one, unless a response was not captured",
                  evidence);
}

}  // namespace wirelaw::rdmap
