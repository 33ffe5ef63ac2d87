// SPDX-License-Identifier: Apache-2.0
// "rpcId"
#include "conformance/ramcloud/rpcId/rpc_id.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/header/header.h"
#include "conformance/ramcloud/rpcId/rules.h"

namespace wirelaw::ramcloud {

void check_first_rpc_id(Judge& judge, const PacketFacts& facts, const FirstRpcFact& fact) {
  const Rule& first = fact.is_reopened ? rule<"RAMCLOUD-rpcId-7"> : rule<"RAMCLOUD-rpcId-1">;
  judge.require(first, facts.header().rpc_id == 0, field::kRpcId, expected(0), actual(facts.header().rpc_id),
                "the first RPC on this channel of the session; or those before it were not captured");
}

void check_next_rpc_id(Judge& judge, const PacketFacts& facts, const NextRpcFact& fact) {
  if (!check_rpc_id_order(judge, facts.header().rpc_id, fact.next, fact.elapsed_ns)) return;
  const Evidence evidence = evidence_of_skipped(fact.next, facts.header().rpc_id, fact.elapsed_ns);
  const bool holds = facts.header().rpc_id == fact.next;
  if (!fact.is_settled && evidence != Evidence::octets)
    judge.advise(rule<"RAMCLOUD-rpcId-2">, holds, field::kRpcId, expected(fact.next), actual(facts.header().rpc_id),
                 "rpcIds were left out; or the packet before was an old one that came late");
  else
    judge.require(rule<"RAMCLOUD-rpcId-2">, holds, field::kRpcId, expected(fact.next), actual(facts.header().rpc_id),
                  "rpcIds were left out; or their packets were not captured", evidence);
}

namespace {

// No time was for the RPCs between the latest one and this. If the client may have written the rpcId in network order,
// its request may be missing from the capture, and the server has only copied it.
Evidence evidence_of_unasked(std::uint32_t id, std::uint32_t latest, std::int64_t elapsed_ns) {
  const std::uint32_t swapped = __builtin_bswap32(id);
  if (swapped > latest && evidence_of_skipped(latest, swapped, elapsed_ns) != Evidence::octets)
    return Evidence::absence;
  return evidence_of_skipped(latest, id, elapsed_ns);
}

}  // namespace

void check_server_rpc_id(Judge& judge, const PacketFacts& facts, const AnsweredRpcFact& fact) {
  const std::uint32_t id = facts.header().rpc_id;
  Evidence evidence = Evidence::absence;
  if (!fact.is_asked && fact.elapsed_ns) {
    if (!check_rpc_id_order(judge, id, fact.latest, *fact.elapsed_ns)) return;
    if (id > fact.latest) evidence = evidence_of_unasked(id, fact.latest, *fact.elapsed_ns);
  }
  judge.require(rule<"RAMCLOUD-rpcId-4">, fact.is_asked, field::kRpcId,
                expected([&] { return fmt::format("{}, or an earlier one of the channel", fact.latest); }), actual(id),
                "no request with this rpcId was sent on the channel; or it was not captured", evidence);
}

}  // namespace wirelaw::ramcloud
