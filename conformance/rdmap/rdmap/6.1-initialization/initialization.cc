// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 6.1: what is sent once RDMA has been enabled, and how many Reads may be outstanding.
#include <algorithm>

#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

constexpr Section kSection{"RFC 5040 6.1"};
constexpr Section kAtVerbs = kSection.by(Observable::api);
constexpr Section kNotJudged = kSection.by(Observable::none);

constinit const Rule kOnlyMessages = kNotJudged.must(
    "RDMAP-6.1-1", "Once RDMA is enabled nothing but RDMA Messages is sent until the stream is torn down.",
    "what is no message breaks MPA's framing, DDP-4.4-1 or RDMAP-4.1-7");
constinit const Rule kProvidesInbound = kNotJudged.must(
    "RDMAP-6.1-3", "RDMAP provides as many inbound RDMA Reads as were negotiated.", "the same as RDMAP-5.2.2-2");
constinit const Rule kProvidesOutbound =
    kAtVerbs.must("RDMAP-6.1-5", "RDMAP provides as many outbound RDMA Reads as were negotiated.",
                  "the ULP decides how many it has outstanding: a consumer of verbs that posts as many");
constinit const Rule kWithinOutbound =
    kSection.resting_on(Evidence::absence)
        .must_not("RDMAP-6.1-6", "A side has no more RDMA Reads outstanding than were negotiated.",
                  "RDMAP/A-19, RDMAP/A-40: the limit is known where RFC 6581's ORD and IRD were exchanged; a Read is "
                  "outstanding until the last segment of its response. Atomic Operations that fill the limit are "
                  "warned of (RDMAP/A-66)");

namespace {

// The Reads that `side` may have outstanding, by the reply's values, which are final (RFC 6581, 9.1); nothing where the
// limit was left to the ULPs.
std::optional<std::size_t> outbound_limit(const Agreed& agreed, Side side) {
  if (!agreed.enhanced()) return std::nullopt;
  const mpa::EnhancedData& request = *agreed.request;
  const mpa::EnhancedData& reply = *agreed.reply;
  if (side == agreed.initiator) {
    if (reply.ird == mpa::kNoNegotiation) return std::nullopt;
    // A Read as ready-to-receive has a place of its own, whatever was asked for.
    return std::max<std::size_t>(reply.ird, reply.rtr_read ? 1 : 0);
  }
  if (reply.ord == mpa::kNoNegotiation || request.ird == mpa::kNoNegotiation) return std::nullopt;
  return std::min(reply.ord, request.ird);
}

constexpr Breach kBreaches[] = {
    {Deviation::ord_off_by_one, kProvidesOutbound, {.given = "verbs pair"}},
};

}  // namespace

SectionRules initialization_rules() {
  static constexpr const Rule* kRules[] = {&kOnlyMessages, &kProvidesInbound, &kProvidesOutbound, &kWithinOutbound};
  return {kRules, kBreaches};
}

void judge_outstanding_reads(Judge& judge, Seen& seen) {
  if (!all_is_known(seen.connection)) return;
  const auto limit = outbound_limit(seen.connection.agreement, seen.from.side);
  if (!limit) return;
  const auto outstanding =
      static_cast<std::size_t>(std::ranges::count(seen.from.reads, false, &OutstandingRead::atomic));
  const Evidence evidence = evidence_of_lack(seen.connection, seen.from);
  // RFC 7306 has Atomic Operations share the flow control of Reads (5.2), and their number negotiated apart (5.2.2).
  if (outstanding <= *limit && seen.from.reads.size() > *limit) {
    judge.advise(kWithinOutbound, false, field::kMsn, expected([&] { return fmt::format("at most {}", *limit); }),
                 actual(seen.from.reads.size()), "RDMA Reads and Atomic Operations outstanding with this one");
    return;
  }
  if (judge.require(kWithinOutbound, outstanding <= *limit, field::kMsn,
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
