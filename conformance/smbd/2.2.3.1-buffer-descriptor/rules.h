// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 2.2.3.1: the descriptors that the upper layer embeds in its payload. Only the upper layer knows
// their place in the payload (SMBD/A44).
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct BufferDescriptorRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 2.2.3.1";
  static constexpr std::string_view kShown = "An application that lets the peer write or read its buffer shows it";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-2.2.3.1-1", must, any, kSection, api, octets,
       "Offset is the RDMA provider's address of the first octet of the registered buffer.",
       kShown,
       {{refuses_empty_messages, listener}, descriptor_token_wrong, descriptors_swapped}},
      {"SMBD-2.2.3.1-2", must, any, kSection, api, octets,
       "Token is the RDMA provider's steering tag of the registered buffer.", kShown,
       {{refuses_empty_messages, listener}, descriptor_token_wrong}},
      {"SMBD-2.2.3.1-3", must, any, kSection, api, octets,
       "Length is the number of octets in the registered buffer.", kShown, {describes_first_part}},
      {"SMBD-2.2.3.1-4", may, any, kSection, api, octets,
       "The upper layer may put one or more descriptors into its payload.",
       "S-12: 17 and 31 descriptors have disrupted peers", {descriptors_swapped}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::BufferDescriptorRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::BufferDescriptorRules, I> {
};
