// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct DirectionRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, flags.direction";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-direction-1", must, server, kSection, trace, octets,
       "The direction flag is set in every packet from the server to the client.", {},
       {open_response_direction_clear, direction_clear_in_data, direction_clear_in_ack}},
      {"RAMCLOUD-direction-2", must_not, client, kSection, trace, octets,
       "The direction flag is not set in a packet from the client to the server.", {}, {direction_set}},
      {"RAMCLOUD-direction-3", must, server, kSection, stimulus, octets,
       "A packet with flags.direction set is not taken for a client's request.", {},
       {direction_ignored_on_receipt, sessions_share_channels}},
      {"RAMCLOUD-direction-4", must, client, kSection, stimulus, octets,
       "A packet with flags.direction clear is not taken for a server's response.", {},
       {direction_ignored_on_receipt}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::DirectionRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::DirectionRules, I> {
};
