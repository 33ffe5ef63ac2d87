// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct OpenResponseRules : Words {
  static constexpr std::string_view kFormat = "RAMCloud RPC, Session Open Response Payload Format";
  static constexpr std::string_view kPtSessionOpen = "RAMCloud RPC, PT_SESSION_OPEN";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-openResponse-1", must, server, kFormat, trace, octets,
       "A server puts the largest channel id in the payload of a session open response.", {}, {open_response_empty}},
      {"RAMCLOUD-openResponse-2", must, server, kFormat, trace, octets,
       "A server sends nothing after maxChannelId in a session open response.", {}, {open_response_two_octets}},
      {"RAMCLOUD-openResponse-3", must, server, kFormat, stimulus, octets,
       "A server sets maxChannelId to a channel id that the client can use, the largest one.",
       "RAMCLOUD/R1: implementations since 2010-08 send the number of channels",
       {bound_too_high, {highest_channel_refused, warning}}},
      {"RAMCLOUD-openResponse-4", must_not, server, kPtSessionOpen, trace, absence,
       "A server sends a session open response only to a client that has sent an open request."},
      {"RAMCLOUD-openResponse-5", must, client, kFormat, stimulus, octets,
       "A client ignores an open response for a session that is in use.", "RAMCLOUD/R7",
       {token_alternates, token_not_used}},
      {"RAMCLOUD-openResponse-6", must, client, kFormat, stimulus, octets,
       "A client keeps working after an open response without a payload.", {},
       {empty_open_response_dies, big_endian_header, frag_number_from_one, client_hint_changes, total_frags_zero,
        never_retransmits}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::OpenResponseRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::OpenResponseRules, I> {
};
