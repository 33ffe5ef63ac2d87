// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 6.1: messages sent after RDMA has been enabled, and the limit on outstanding Reads.
#include <algorithm>

#include "conformance/rdmap/rdmap/6.1-initialization/rules.h"
#include "conformance/rdmap/rdmap/messages.h"

namespace wirelaw::rdmap {

namespace {

// The Reads that `side` may have outstanding, by the reply's values, which are final (RFC 6581, 9.1); empty if the
// limit was left to the ULPs.
std::optional<std::size_t> outbound_limit(const Agreed& agreed, Side side) {
  if (!agreed.enhanced()) return std::nullopt;
  const mpa::EnhancedData& request = *agreed.request;
  const mpa::EnhancedData& reply = *agreed.reply;
  if (side == agreed.initiator) {
    if (reply.ird == mpa::kNoNegotiation) return std::nullopt;
    // A Read as ready-to-receive indication is always allowed in addition.
    return std::max<std::size_t>(reply.ird, reply.rtr_read ? 1 : 0);
  }
  if (reply.ord == mpa::kNoNegotiation || request.ird == mpa::kNoNegotiation) return std::nullopt;
  return std::min(reply.ord, request.ird);
}

}  // namespace

void judge_outstanding_reads(Judge& judge, Seen& seen) {
  if (!all_is_known(seen.connection) || ends_within_fpdu(seen.to)) return;  // a response may not be decoded yet
  const auto limit = outbound_limit(seen.connection.agreement, seen.from.side);
  if (!limit) return;
  const auto outstanding =
      static_cast<std::size_t>(std::ranges::count(seen.from.reads, false, &OutstandingRead::atomic));
  const Evidence evidence = evidence_of_lack(seen.connection, seen.from);
  // RFC 7306 has Atomic Operations share the flow control of Reads (5.2), and their number negotiated apart (5.2.2).
  if (outstanding <= *limit && seen.from.reads.size() > *limit) {
    judge.advise(rule<"RDMAP-6.1-6">, false, field::kMsn, expected([&] { return fmt::format("at most {}", *limit); }),
                 actual(seen.from.reads.size()), "RDMA Reads and Atomic Operations outstanding with this one");
    return;
  }
  if (judge.require(rule<"RDMAP-6.1-6">, outstanding <= *limit, field::kMsn,
                    expected([&] { return fmt::format("at most {}", *limit); }), actual(outstanding),
                    evidence == Evidence::octets
                        ? "RDMA Reads outstanding with this one"
                        : "RDMA Reads outstanding with this one, unless a response was not captured",
                    evidence))
    return;
  seen.blame(error::kDdpNoBuffer);
  seen.blame(error::kCatastrophicStream);
  seen.blame(error::kDdpMsnRange);
}

}  // namespace wirelaw::rdmap
