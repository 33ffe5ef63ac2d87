// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct PayloadTypeRules : Words {
  static constexpr std::string_view kPayloadType = "RAMCloud RPC, payloadType";
  static constexpr std::string_view kPtData = "RAMCloud RPC, PT_DATA";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-payloadType-1", must_not, any, kPayloadType, trace, octets,
       "Payload types other than 0, 1, 2 and 4 are reserved and are not sent.", {}, {reserved_type_sent}},
      {"RAMCLOUD-payloadType-2", must, server, kPayloadType, stimulus, octets,
       "A packet of a reserved payload type is not executed and does the server's session no harm.", "RAMCLOUD/R29",
       {reserved_type_dies, sessions_share_channels}},
      {"RAMCLOUD-payloadType-3", must, client, kPayloadType, stimulus, octets,
       "A packet of a reserved payload type is no response and does the client no harm.", "RAMCLOUD/R29",
       {reserved_type_dies}},
      {"RAMCLOUD-payloadType-4", must, server, kPtData, stimulus, octets,
       "The payload of DATA is opaque: any octets, and any number of them, arrive unaltered.", "RAMCLOUD/R46",
       {response_before_request_complete, total_frags_changes, no_rpc_completes}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::PayloadTypeRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::PayloadTypeRules, I> {
};
