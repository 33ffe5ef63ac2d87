// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct RequestAckRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, flags.requestAck";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-requestAck-1", must, server, kSection, stimulus, octets,
       "A server sends an ACK for a request fragment that asks for one. The response suffices if the request is "
       "complete.", "RAMCLOUD/R14",
       {no_ack, response_before_request_complete, duplicate_fragment_appended, direction_clear_in_ack, ack_wrong_rpc,
        ack_wrong_channel, sessions_share_channels, response_for_incomplete_after_ack}},
      {"RAMCLOUD-requestAck-2", must, client, kSection, stimulus, octets,
       "A client sends an ACK for a response fragment that asks for one.", "RAMCLOUD/R14",
       {no_ack, ack_wrong_rpc, ack_wrong_channel, data_before_open_response, token_not_used, partial_response_accepted,
        duplicate_response_fragment_appended}},
      {"RAMCLOUD-requestAck-3", must, server, kSection, stimulus, octets,
       "A server executes a request once even if all its fragments ask for an ACK.", {}, {executes_twice_when_asked}},
      {"RAMCLOUD-requestAck-4", should_not, any, kSection, trace, octets,
       "A sender does not set flags.requestAck in a packet without a fragment, where the flag has no meaning.",
       "RAMCLOUD/R38", {{ack_with_request_ack, warning}, {reserved_type_sent, warning}, {sends_bad_session, warning}}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::RequestAckRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::RequestAckRules, I> {
};
