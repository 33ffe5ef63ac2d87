// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct RpcIdRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, rpcId";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-rpcId-1", must, client, kSection, trace, absence,
       "A client uses rpcId 0 for the first RPC on a new channel.", {},
       {rpc_id_starts_at_one, rpc_id_not_reset_on_reopen}},
      {"RAMCLOUD-rpcId-2", must, client, kSection, trace, absence,
       "A client increments the rpcId by one for each new RPC on a channel.",
       "RAMCLOUD/R10, RAMCLOUD/R11, RAMCLOUD/R13", {rpc_id_steps_by_two}},
      {"RAMCLOUD-rpcId-3", must, server, kSection, stimulus, octets,
       "A server does not execute a request with the rpcId of an earlier RPC.", {}, {old_rpc_executed}},
      {"RAMCLOUD-rpcId-4", must, server, kSection, trace, absence,
       "A server sends a response only with the rpcId of a request that the client has sent on that channel.", {},
       {rpc_id_off_by_one}},
      {"RAMCLOUD-rpcId-5", should, server, kSection, stimulus, octets,
       "A server does not execute a request whose rpcId skips one or more.", "RAMCLOUD/R10", {skipped_rpc_executed}},
      {"RAMCLOUD-rpcId-6", must, client, kSection, stimulus, octets,
       "A client does not accept a packet with an earlier or later rpcId as the response.", {},
       {wrong_rpc_response_accepted}},
      {"RAMCLOUD-rpcId-7", must, client, kSection, trace, absence,
       "A client treats the channels of a reopened session as new ones, whose rpcIds start at 0 again.",
       "RAMCLOUD/R12", {token_alternates}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::RpcIdRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::RpcIdRules, I> {
};
