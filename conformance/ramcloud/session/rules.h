// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct SessionRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, Sessions and Channels";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-session-1", must, client, kSection, trace, absence,
       "A client sends DATA and ACK packets only on a session that a server has opened for it.", {},
       {data_before_open_response, token_not_used}},
      {"RAMCLOUD-session-2", must, server, kSection, stimulus, octets,
       "A server answers an open request with an open response.", {}, {no_session_opens}},
      {"RAMCLOUD-session-3", must, server, kSection, stimulus, octets,
       "A server accepts requests on every channel within the bounds of a session without another handshake.",
       "RAMCLOUD/R1", {bound_too_high, no_rpc_completes}},
      {"RAMCLOUD-session-4", must, server, kSection, stimulus, octets,
       "A server keeps sessions independent: the same channel and rpcId in two sessions are two RPCs.", {},
       {sessions_share_channels, response_before_request_complete, duplicate_fragment_appended}},
      {"RAMCLOUD-session-5", must, server, kSection, stimulus, octets,
       "A server performs an RPC on one channel even if a request on another channel is unfinished.", {},
       {one_rpc_at_a_time, response_before_request_complete, duplicate_fragment_appended, sessions_share_channels}},
      {"RAMCLOUD-session-6", must_not, client, kSection, trace, absence,
       "A client does not begin an RPC on a channel while the previous one is still active there.", "RAMCLOUD/R13",
       {next_rpc_before_response, wrong_token_response_accepted, response_beyond_end_taken}},
      {"RAMCLOUD-session-7", must, client, kSection, stimulus, octets,
       "A client that may use only one channel performs its requests one after another.", {},
       {next_rpc_before_response}},
      {"RAMCLOUD-session-8", must, server, kSection, none, octets,
       "The server authenticates the client while it opens the session.",
       "No field of any packet carries a credential, so authentication is invisible on the wire"},
      {"RAMCLOUD-session-9", must, server, kSection, trace, absence,
       "A server eventually answers open requests and other requests.", "RAMCLOUD/R43"},
      {"RAMCLOUD-session-10", must, server, kSection, stimulus, octets,
       "A server keeps working after a request on a channel on which it still executes the previous RPC.", {},
       {next_rpc_dies, sessions_share_channels}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::SessionRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::SessionRules, I> {
};
