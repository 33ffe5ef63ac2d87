// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct WriteRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.4.5";
  static constexpr std::string_view kDescriptors = "Needs an upper layer with several descriptors: S-15";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.4.5-1", must, any, kSection, trace, absence,
       "A sender directs an RDMA Write only to a buffer that the peer has named in an upper-layer message.",
       "SMBD/A44, SMBD/A45, SMBD/A47; a Write without octets, as MPA uses it, is not judged",
       {{transfer_other_token, warning}, {transfer_ignores_lengths, warning}}},
      {"SMBD-3.1.4.5-2", must, any, kSection, api, octets,
       "A sender finds the first descriptor by subtracting the lengths of earlier ones from the given offset.",
       kDescriptors,
       {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}},
      {"SMBD-3.1.4.5-3", must, any, kSection, api, octets,
       "A sender uses as many descriptors as the length of the data requires.", kDescriptors,
       {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}},
      {"SMBD-3.1.4.5-4", must, any, kSection, api, octets,
       "A sender uses the part of the first descriptor that begins at the offset.", kDescriptors,
       {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}},
      {"SMBD-3.1.4.5-5", must, any, kSection, api, octets,
       "A sender uses the last descriptor only up to the end of the data.", kDescriptors,
       {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}},
      {"SMBD-3.1.4.5-6", must, any, kSection, api, octets,
       "A sender posts one or more RDMA Writes on this connection, to exactly those places.",
       "Seen in the tagged segments by the owner of the buffer",
       {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}},
      {"SMBD-3.1.4.5-7", must, any, kSection, api, octets,
       "A sender passes the RDMA provider's result of the Write to the upper layer.", "The upper layer sees it",
       {transfer_result_lost}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::WriteRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::WriteRules, I> {
};
