// SPDX-License-Identifier: Apache-2.0
// "Sessions and Channels": checks on a trace.
#include "conformance/ramcloud/session/session.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/session/rules.h"

namespace wirelaw::ramcloud {

void check_session_before_data(Judge& judge, const Header& header, bool is_open) {
  judge.require(rule<"RAMCLOUD-session-1">, is_open, field::kSessionToken, expected("the token of an open response"),
                actual(hex(header.session_token)),
                "no open response with this token came before; or it was not captured");
}

void check_one_rpc_per_channel(Judge& judge, const PacketFacts& facts, const PreviousRpcFact& previous) {
  const auto want = expected([&] { return fmt::format("the whole response to rpcId {} first", previous.rpc_id); });
  const auto got = actual([&] {
    if (previous.response_total == 0) return fmt::format("rpcId {} before any response", facts.header().rpc_id);
    return fmt::format("rpcId {} after {} of {} response fragments", facts.header().rpc_id, previous.response_frags,
                       previous.response_total);
  });
  // A client that asked again may have given the RPC up, which frees the channel (RAMCLOUD/R13).
  if (previous.is_repeated) {
    judge.advise(rule<"RAMCLOUD-session-6">, previous.is_complete, field::kRpcId, want, got,
                 "the client had asked again before, so it may have given the RPC up");
  } else {
    judge.require(rule<"RAMCLOUD-session-6">, previous.is_complete, field::kRpcId, want, got,
                  "two RPCs are active on one channel; or the rest of the response was not captured");
  }
}

}  // namespace wirelaw::ramcloud
