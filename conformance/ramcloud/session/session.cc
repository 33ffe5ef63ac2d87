// SPDX-License-Identifier: Apache-2.0
// "Sessions and Channels": what a trace can show of it.
#include "conformance/ramcloud/session/session.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/session/rules.h"

namespace wirelaw::ramcloud {

void judge_session_before_data(Judge& judge, const Seen& seen, bool known) {
  judge.require(rule<"RAMCLOUD-session-1">, known, field::kSessionToken, expected("the token of an open response"),
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
    judge.advise(rule<"RAMCLOUD-session-6">, response.complete(), field::kRpcId, want, got,
                 "the client had repeated the request before, so it may have given it up");
  } else {
    judge.require(rule<"RAMCLOUD-session-6">, response.complete(), field::kRpcId, want, got,
                  "two RPCs are active on one channel; or the rest of the response was not captured");
  }
}

}  // namespace wirelaw::ramcloud
