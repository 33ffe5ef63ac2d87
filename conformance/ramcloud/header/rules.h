// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct HeaderRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC Header format";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-header-1", must, any, kSection, trace, octets,
       "Every packet carries the whole header of 26 octets, whatever its payload type."},
      {"RAMCLOUD-header-2", must, client, kSection, trace, absence,
       "The payload type of an open request is in the high four bits of the last header octet.", {},
       {open_nibbles_swapped}},
      {"RAMCLOUD-header-3", must, server, kSection, trace, octets,
       "The flags of an open response are in the low four bits of the last header octet, direction lowest.", {},
       {open_response_nibbles_swapped}},
      {"RAMCLOUD-header-4", must, any, kSection, trace, absence,
       "Integers are sent with their least significant octet first.", {}, {{big_endian_header, client}}},
      {"RAMCLOUD-header-6", must, server, kSection, stimulus, octets,
       "A packet that is shorter than the header is dropped and does the server no harm.", "RAMCLOUD/R30",
       {short_packet_dies, sessions_share_channels}},
      {"RAMCLOUD-header-7", must, client, kSection, stimulus, octets,
       "A packet that is shorter than the header is dropped and does the client no harm.", "RAMCLOUD/R30",
       {short_packet_dies}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::HeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::HeaderRules, I> {
};
