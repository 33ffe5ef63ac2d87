// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct DirectionRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, flags.direction";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-direction-1", must, server, kSection, trace, octets,
       "A server sets the direction flag in every packet to the client.", {},
       {open_response_direction_clear, direction_clear_in_data, direction_clear_in_ack}},
      {"RAMCLOUD-direction-2", must_not, client, kSection, trace, octets,
       "A client does not set the direction flag in a packet to the server.", {}, {direction_set}},
      {"RAMCLOUD-direction-3", must, server, kSection, stimulus, octets,
       "A server does not accept a packet with flags.direction set as a client's request.", {},
       {direction_ignored_on_receipt, sessions_share_channels}},
      {"RAMCLOUD-direction-4", must, client, kSection, stimulus, octets,
       "A client does not accept a packet with flags.direction clear as a server's response.", {},
       {direction_ignored_on_receipt}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::DirectionRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::DirectionRules, I> {
};
