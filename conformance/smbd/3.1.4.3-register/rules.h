// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.3: an upper layer lends memory to its peer. All of it is between the upper layer and its
// provider.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct RegisterRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.4.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.4.3-1", must, any, kSection, api, octets,
       "The memory of the buffer is registered with the RDMA provider.", "shown by an RDMA operation of the peer",
       {{refuses_empty_messages, listener}, descriptor_token_wrong}},
      {"SMBD-3.1.4.3-2", must, any, kSection, api, octets,
       "Only what was asked for, Read or Write, is permitted.",
       "shown by an RDMA operation of the other kind, which fails", {registers_every_access}},
      {"SMBD-3.1.4.3-3", must, any, kSection, api, octets,
       "The registration is for this connection.", "shown by an RDMA operation on another connection, which fails"},
      {"SMBD-3.1.4.3-4", may, any, kSection, api, octets,
       "A buffer may take several registrations.", "seen in the number of descriptors"},
      {"SMBD-3.1.4.3-5", must, any, kSection, api, octets,
       "An error of any registration is passed to the upper layer.", "the upper layer sees it",
       {register_error_hidden}},
      {"SMBD-3.1.4.3-6", should_not, any, kSection, api, octets,
       "After such an error no part of the buffer stays open to the peer.", "shown by an RDMA operation, which fails",
       {failed_registration_stays, deregistered_stays}},
      {"SMBD-3.1.4.3-7", must, any, kSection, api, octets,
       "Descriptors are made of what was registered: one or more.", "the upper layer sees it", {describes_first_part}},
      {"SMBD-3.1.4.3-8", must, any, kSection, api, octets,
       "Each descriptor has offset, token and length of one registered part, in the order of the buffer.",
       "the upper layer sees it", {descriptors_swapped}},
      {"SMBD-3.1.4.3-9", must, any, kSection, api, octets,
       "The descriptors together name every octet of the buffer.", "the upper layer sees it", {describes_first_part}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::RegisterRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::RegisterRules, I> {
};
