// SPDX-License-Identifier: Apache-2.0
// "rpcId"
#include "conformance/ramcloud/rpcId/rpc_id.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/header/header.h"
#include "conformance/ramcloud/rpcId/rules.h"

namespace wirelaw::ramcloud {

namespace {

std::int64_t since(const Seen& seen, const Exchange& exchange) {
  return seen.message.time_ns - exchange.latest_ns;
}

}  // namespace

void judge_first_rpc_id(Judge& judge, const Seen& seen) {
  if (!seen.session->witnessed) return;
  const Rule& first = seen.session->reopened ? rule<"RAMCLOUD-rpcId-7"> : rule<"RAMCLOUD-rpcId-1">;
  judge.require(first, seen.header().rpc_id == 0, field::kRpcId, expected(0), actual(seen.header().rpc_id),
                "the first RPC on this channel of the session; or those before it were not captured");
}

void judge_next_rpc_id(Judge& judge, const Seen& seen, const Exchange& previous, bool is_settled) {
  const std::uint32_t next = previous.rpc_id + 1;
  if (!judge_octet_order(judge, field::kRpcId, seen.header().rpc_id, next, since(seen, previous))) return;
  const Evidence evidence = evidence_of_skipped(next, seen.header().rpc_id, since(seen, previous));
  const bool holds = seen.header().rpc_id == next;
  if (!is_settled && evidence != Evidence::octets)
    judge.advise(rule<"RAMCLOUD-rpcId-2">, holds, field::kRpcId, expected(next), actual(seen.header().rpc_id),
                 "rpcIds were left out; or the packet before was an old one that came late");
  else
    judge.require(rule<"RAMCLOUD-rpcId-2">, holds, field::kRpcId, expected(next), actual(seen.header().rpc_id),
                  "rpcIds were left out; or their packets were not captured", evidence);
}

void judge_server_rpc_id(Judge& judge, const Seen& seen, Channel& channel) {
  const std::uint32_t id = seen.header().rpc_id;
  const bool asked = channel.find(id) != nullptr;
  Evidence evidence = Evidence::absence;
  if (!asked) {
    if (channel.may_have_forgotten(id)) return;  // a late old answer
    const Exchange* const latest = channel.latest_exchange();
    if (latest != nullptr && !judge_octet_order(judge, field::kRpcId, id, latest->rpc_id, since(seen, *latest))) return;
    if (latest != nullptr && id > latest->rpc_id)
      evidence = evidence_of_skipped(latest->rpc_id, id, since(seen, *latest));
  }
  judge.require(rule<"RAMCLOUD-rpcId-4">, asked, field::kRpcId,
                expected([&] { return fmt::format("{}, or an earlier one of the channel", channel.latest()); }),
                actual(id), "no request with this rpcId was sent on the channel; or it was not captured", evidence);
}

}  // namespace wirelaw::ramcloud
