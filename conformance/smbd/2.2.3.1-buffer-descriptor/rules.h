// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 2.2.3.1: what the upper layer embeds in its payload. Where it is in the payload, only the upper
// layer knows (SMBD/A44).
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct BufferDescriptorRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 2.2.3.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-2.2.3.1-1", must, any, kSection, api, octets,
       "Offset is the provider's address of the first octet of the registered buffer.",
       "shown by an application that has its buffer written or read by the peer",
       {{refuses_empty_messages, listener}, descriptor_token_wrong, descriptors_swapped}},
      {"SMBD-2.2.3.1-2", must, any, kSection, api, octets,
       "Token is the provider's steering tag of the registered buffer.", "likewise",
       {{refuses_empty_messages, listener}, descriptor_token_wrong}},
      {"SMBD-2.2.3.1-3", must, any, kSection, api, octets,
       "Length is the number of octets of the registered buffer.", "likewise", {describes_first_part}},
      {"SMBD-2.2.3.1-4", may, any, kSection, api, octets,
       "The upper layer may embed one descriptor or several.", "S-12: peers have been stopped by 17 and by 31",
       {descriptors_swapped}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::BufferDescriptorRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::BufferDescriptorRules, I> {
};
