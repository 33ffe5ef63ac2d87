// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct HeaderRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC Header format";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-header-1", must, any, kSection, trace, octets,
       "A sender puts the whole header of 26 octets in every packet, whatever its payload type."},
      {"RAMCLOUD-header-2", must, client, kSection, trace, absence,
       "A client puts the payload type of an open request in the high four bits of the last header octet.", {},
       {open_nibbles_swapped}},
      {"RAMCLOUD-header-3", must, server, kSection, trace, octets,
       "A server puts the flags of an open response in the low four bits of the last header octet, with direction "
       "lowest.", {}, {open_response_nibbles_swapped}},
      {"RAMCLOUD-header-4", must, any, kSection, trace, absence,
       "A sender sends integers in little-endian octet order.", {}, {{big_endian_header, client}}},
      {"RAMCLOUD-header-6", must, server, kSection, stimulus, octets,
       "A server drops a packet that is shorter than the header, and keeps working.", "RAMCLOUD/R30",
       {short_packet_dies, sessions_share_channels}},
      {"RAMCLOUD-header-7", must, client, kSection, stimulus, octets,
       "A client drops a packet that is shorter than the header, and keeps working.", "RAMCLOUD/R30",
       {short_packet_dies}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::HeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::HeaderRules, I> {
};
