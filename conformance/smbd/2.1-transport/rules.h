// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 2.1: what SMB Direct requires of its RDMA transport. [MS-SMBD] 1.4 and 1.5 require the same of
// iWARP, InfiniBand and RoCE.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct TransportRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 2.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-2.1-1", must, any, kSection, none, octets,
       "The RDMA transport delivers messages reliably.", "Judged by RDMAP's own rules: RDMAP-3.1, DDP-5.3"},
      {"SMBD-2.1-2", must, any, kSection, none, octets,
       "The RDMA transport delivers messages in the order in which they were sent.", "Judged by DDP-5.3 and MPA-5"},
      {"SMBD-2.1-3", must, any, kSection, api, octets,
       "The RDMA transport can place data in the peer's memory by RDMA Write.",
       "Shown by an application that registers a buffer and has the peer write it",
       {descriptor_token_wrong, transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token,
        {refuses_empty_messages, listener}}},
      {"SMBD-2.1-4", must, any, kSection, api, octets,
       "The RDMA transport can fetch data from the peer's memory by RDMA Read.",
       "Shown by an application that registers a buffer and has the peer read it",
       {transfer_offset_ignored, descriptors_swapped}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::TransportRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::TransportRules, I> {
};
