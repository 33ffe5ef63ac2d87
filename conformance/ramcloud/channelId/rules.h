// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct ChannelIdRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, channelId";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-channelId-1", must, client, kSection, trace, octets,
       "A client uses no channel above the largest one that the open response allows.", "RAMCLOUD/R1",
       {channel_beyond_max}},
      {"RAMCLOUD-channelId-2", must, server, kSection, trace, absence,
       "A server answers an RPC on the channel on which the request came.", {},
       {answers_on_other_channel}},
      {"RAMCLOUD-channelId-3", must, server, kSection, stimulus, octets,
       "A server does not execute a request on a channel above its bound.", "RAMCLOUD/R28",
       {channel_out_of_range_executed, sessions_share_channels}},
      {"RAMCLOUD-channelId-4", must, client, kSection, stimulus, octets,
       "A client does not accept a packet on another channel as the response to its request.", {},
       {wrong_channel_response_accepted}},
      {"RAMCLOUD-channelId-5", must, client, kSection, stimulus, octets,
       "A client uses only channel 0 if the bound is 0, however many requests it has.", "RAMCLOUD/R1",
       {channel_beyond_max, {big_endian_header, warning}, {frag_number_from_one, warning},
        {total_frags_zero, warning}}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::ChannelIdRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::ChannelIdRules, I> {
};
