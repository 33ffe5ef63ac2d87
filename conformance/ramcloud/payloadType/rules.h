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
       "A sender does not use payload types other than 0, 1, 2 and 4, which are reserved.", {}, {reserved_type_sent}},
      {"RAMCLOUD-payloadType-2", must, server, kPayloadType, stimulus, octets,
       "A server does not execute a packet of a reserved payload type, and its session keeps working.", "RAMCLOUD/R29",
       {reserved_type_dies, sessions_share_channels}},
      {"RAMCLOUD-payloadType-3", must, client, kPayloadType, stimulus, octets,
       "A client does not accept a packet of a reserved payload type as a response, and keeps working.",
       "RAMCLOUD/R29", {reserved_type_dies}},
      {"RAMCLOUD-payloadType-4", must, server, kPtData, stimulus, octets,
       "A server receives and returns DATA payloads unaltered, whatever their octets and length.", "RAMCLOUD/R46",
       {response_before_request_complete, total_frags_changes, no_rpc_completes}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::PayloadTypeRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::PayloadTypeRules, I> {
};
