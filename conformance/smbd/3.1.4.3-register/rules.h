// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.3: the upper layer registers memory for its peer. These rules concern only the upper layer
// and its RDMA provider.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct RegisterRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.4.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.4.3-1", must, any, kSection, api, octets,
       "Register Buffer registers the memory of the buffer with the RDMA provider.",
       "Shown by an RDMA operation of the peer", {{refuses_empty_messages, listener}, descriptor_token_wrong}},
      {"SMBD-3.1.4.3-2", must, any, kSection, api, octets,
       "The registration permits only the requested operation, Read or Write.",
       "Shown by an RDMA operation of the other kind, which fails", {registers_every_access}},
      {"SMBD-3.1.4.3-3", must, any, kSection, api, octets,
       "The registration is valid only on its connection.",
       "Shown by an RDMA operation on another connection, which fails"},
      {"SMBD-3.1.4.3-4", may, any, kSection, api, octets,
       "Register Buffer may make several registrations for one buffer.", "Seen in the number of descriptors"},
      {"SMBD-3.1.4.3-5", must, any, kSection, api, octets,
       "If any registration fails, the upper layer gets the error.", "The upper layer sees it",
       {register_error_hidden}},
      {"SMBD-3.1.4.3-6", should_not, any, kSection, api, octets,
       "After a failed registration, no part of the buffer stays open to the peer.",
       "Shown by an RDMA operation, which fails", {failed_registration_stays, deregistered_stays}},
      {"SMBD-3.1.4.3-7", must, any, kSection, api, octets,
       "Register Buffer returns one or more descriptors of what it registered.", "The upper layer sees it",
       {describes_first_part}},
      {"SMBD-3.1.4.3-8", must, any, kSection, api, octets,
       "Each descriptor has the offset, token and length of one registered part, in the order of the buffer.",
       "The upper layer sees it", {descriptors_swapped}},
      {"SMBD-3.1.4.3-9", must, any, kSection, api, octets,
       "The descriptors together cover every octet of the buffer.", "The upper layer sees it", {describes_first_part}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::RegisterRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::RegisterRules, I> {
};
