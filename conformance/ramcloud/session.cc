// SPDX-License-Identifier: Apache-2.0
// "Sessions and Channels": what a trace can show of it.
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, Sessions and Channels"};
constexpr Section kClient = kSection.of(Role::initiator).resting_on(Evidence::absence);

constinit const Rule kSessionBeforeData = kClient.must(
    "RAMCLOUD-session-1", "A client sends DATA and ACK packets only on a session that a server has opened for it.");

constinit const Rule kOneRpcPerChannel = kClient.must_not(
    "RAMCLOUD-session-6", "A client does not begin an RPC on a channel while the one before it is still active there.",
    "RAMCLOUD/R13");

namespace {

constinit const Rule kAuthenticates =
    kSection.of(Role::responder)
        .by(Observable::none)
        .must("RAMCLOUD-session-8", "The server authenticates the client while it opens the session.",
              "no field of any packet carries a credential: whatever is done is invisible on the wire");

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kSessionBeforeData, {data_before_open_response, token_not_used}),
    broken_by(kOneRpcPerChannel, {next_rpc_before_response, wrong_token_response_accepted, response_beyond_end_taken}));

}  // namespace

RuleList session_rules() {
  static constexpr const Rule* kRules[] = {&kSessionBeforeData, &kOneRpcPerChannel, &kAuthenticates};
  return kRules;
}

BreachList session_breaches() {
  return kBreaches;
}

void judge_session_before_data(Judge& judge, const Seen& seen, bool known) {
  judge.require(kSessionBeforeData, known, field::kSessionToken, expected("the token of an open response"),
                actual(hex(seen.header().session_token)),
                "no open response with this token came before; or it was not captured");
}

void judge_one_rpc_per_channel(Judge& judge, const Seen& seen, const Exchange& previous) {
  const Transfer& response = previous.response;
  const auto want = expected([&] { return fmt::format("the whole response to rpcId {} first", previous.rpc_id); });
  const auto got = actual([&] {
    if (!response.started()) return fmt::format("rpcId {} before any response", seen.header().rpc_id);
    return fmt::format("rpcId {} after {} of {} response fragments", seen.header().rpc_id, response.fragments.count(),
                       response.total_frags);
  });
  // A client that asked again and received nothing may have given the RPC up, which frees the channel (RAMCLOUD/R13).
  if (previous.request.repeats > 0) {
    judge.advise(kOneRpcPerChannel, response.complete(), field::kRpcId, want, got,
                 "the client had repeated the request before, so it may have given it up");
  } else {
    judge.require(kOneRpcPerChannel, response.complete(), field::kRpcId, want, got,
                  "two RPCs are active on one channel; or the rest of the response was not captured");
  }
}

}  // namespace wirelaw::ramcloud
