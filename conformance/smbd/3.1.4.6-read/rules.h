// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct ReadRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.4.6";
  static constexpr std::string_view kDescriptors = "Needs an upper layer with several descriptors: S-15";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.4.6-1", must, any, kSection, trace, absence,
       "A requester reads by RDMA Read only from a buffer that the peer has named in an upper-layer message.",
       "SMBD/A44, SMBD/A45, SMBD/A47; a Read without octets, as MPA uses it, is not judged",
       {{transfer_other_token, warning}, {transfer_ignores_lengths, warning}}},
      {"SMBD-3.1.4.6-2", must, any, kSection, api, octets,
       "A requester finds the first descriptor by subtracting the lengths of earlier ones from the given offset.",
       kDescriptors, {transfer_offset_ignored}},
      {"SMBD-3.1.4.6-3", must, any, kSection, api, octets,
       "A requester uses as many descriptors as the length of the local buffer requires.", kDescriptors,
       {transfer_offset_ignored}},
      {"SMBD-3.1.4.6-4", must, any, kSection, api, octets,
       "A requester uses the part of the first descriptor that begins at the offset.", kDescriptors,
       {transfer_offset_ignored}},
      {"SMBD-3.1.4.6-5", must, any, kSection, api, octets,
       "A requester uses the last descriptor only up to the end of the data.", kDescriptors, {transfer_offset_ignored}},
      {"SMBD-3.1.4.6-6", must, any, kSection, api, octets,
       "A requester posts one or more RDMA Reads on this connection, from exactly those places.",
       "Seen in the Read Requests by the owner of the buffer", {transfer_offset_ignored}},
      {"SMBD-3.1.4.6-7", must, any, kSection, api, octets,
       "A requester passes the RDMA provider's result of the Read to the upper layer.", "The upper layer sees it",
       {transfer_ignores_lengths, transfer_other_token, transfer_result_wrong, transfer_result_lost}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::ReadRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::ReadRules, I> {
};
