// SPDX-License-Identifier: Apache-2.0
// "rpcId"
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, rpcId"};
// What was skipped, or not asked, may have travelled in packets that were not captured.
constexpr Section kServer = kSection.of(Role::responder).resting_on(Evidence::absence);
constexpr Section kClient = kSection.of(Role::initiator).resting_on(Evidence::absence);

constinit const Rule kRpcIdStartsAtZero =
    kClient.must("RAMCLOUD-rpcId-1", "The first RPC on a new channel has rpcId 0.");
constinit const Rule kRpcIdStepsByOne =
    kClient.must("RAMCLOUD-rpcId-2", "Each new RPC on a channel has the rpcId after the one before it.",
                 "RAMCLOUD/R10, RAMCLOUD/R11, RAMCLOUD/R13");
constinit const Rule kRpcIdOfTheRequest =
    kServer.must("RAMCLOUD-rpcId-4",
                 "The server's response carries the rpcId of a request that the client has sent on that channel.");
constinit const Rule kRpcIdRestartsWithSession = kClient.must(
    "RAMCLOUD-rpcId-7",
    "The channels of a session that was opened anew are new channels: their rpcIds start at 0 again.", "RAMCLOUD/R12");

namespace {

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kRpcIdStartsAtZero, {rpc_id_starts_at_one, rpc_id_not_reset_on_reopen}),
                 broken_by(kRpcIdStepsByOne, {rpc_id_steps_by_two}), broken_by(kRpcIdOfTheRequest, {rpc_id_off_by_one}),
                 broken_by(kRpcIdRestartsWithSession, {token_alternates}));

std::int64_t since(const Seen& seen, const Exchange& exchange) {
  return seen.message.time_ns - exchange.latest_ns;
}

}  // namespace

RuleList rpc_id_rules() {
  static constexpr const Rule* kRules[] = {&kRpcIdStartsAtZero, &kRpcIdStepsByOne, &kRpcIdOfTheRequest,
                                           &kRpcIdRestartsWithSession};
  return kRules;
}

BreachList rpc_id_breaches() {
  return kBreaches;
}

void judge_first_rpc_id(Judge& judge, const Seen& seen) {
  if (!seen.session->witnessed) return;
  const Rule& rule = seen.session->reopened ? kRpcIdRestartsWithSession : kRpcIdStartsAtZero;
  judge.require(rule, seen.header().rpc_id == 0, field::kRpcId, expected(0), actual(seen.header().rpc_id),
                "the first RPC on this channel of the session; or those before it were not captured");
}

void judge_next_rpc_id(Judge& judge, const Seen& seen, const Exchange& previous, bool is_settled) {
  const std::uint32_t next = previous.rpc_id + 1;
  if (!judge_octet_order(judge, field::kRpcId, seen.header().rpc_id, next, since(seen, previous))) return;
  const Evidence evidence = evidence_of_skipped(next, seen.header().rpc_id, since(seen, previous));
  const bool holds = seen.header().rpc_id == next;
  if (!is_settled && evidence != Evidence::octets)
    judge.advise(kRpcIdStepsByOne, holds, field::kRpcId, expected(next), actual(seen.header().rpc_id),
                 "rpcIds were left out; or the packet before was an old one that came late");
  else
    judge.require(kRpcIdStepsByOne, holds, field::kRpcId, expected(next), actual(seen.header().rpc_id),
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
  judge.require(kRpcIdOfTheRequest, asked, field::kRpcId,
                expected([&] { return fmt::format("{}, or an earlier one of the channel", channel.latest()); }),
                actual(id), "no request with this rpcId was sent on the channel; or it was not captured", evidence);
}

}  // namespace wirelaw::ramcloud
