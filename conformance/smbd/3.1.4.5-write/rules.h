// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct WriteRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.4.5";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.4.5-1", must, any, kSection, trace, absence,
       "An RDMA Write goes to a buffer that the peer has named in an upper-layer message before.",
       "SMBD/A44, SMBD/A45, SMBD/A47; a Write without octets, as MPA uses it, is none",
       {{transfer_other_token, warning}}},
      {"SMBD-3.1.4.5-2", must, any, kSection, api, octets,
       "The given offset chooses the first descriptor by the lengths of those before it.",
       "needs an upper layer with several descriptors: S-15",
       {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}},
      {"SMBD-3.1.4.5-3", must, any, kSection, api, octets,
       "The length of the data says how many descriptors are used.", "likewise",
       {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}},
      {"SMBD-3.1.4.5-4", must, any, kSection, api, octets,
       "Of the first descriptor the part behind the offset is used.", "likewise",
       {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}},
      {"SMBD-3.1.4.5-5", must, any, kSection, api, octets,
       "Of the last descriptor the part up to the end of the data is used.", "likewise",
       {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}},
      {"SMBD-3.1.4.5-6", must, any, kSection, api, octets,
       "The provider is asked for one RDMA Write or several, on this connection, to exactly those places.",
       "seen in the tagged segments, by whoever has lent the buffer",
       {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}},
      {"SMBD-3.1.4.5-7", must, any, kSection, api, octets,
       "What the provider said is passed to the upper layer.", "the upper layer sees it", {transfer_result_lost}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::WriteRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::WriteRules, I> {
};
