// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct ReadRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.4.6";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.4.6-1", must, any, kSection, trace, absence,
       "An RDMA Read is of a buffer that the peer has named in an upper-layer message before.",
       "SMBD/A44, SMBD/A45, SMBD/A47; a Read without octets, as MPA uses it, is none",
       {{transfer_other_token, warning}}},
      {"SMBD-3.1.4.6-2", must, any, kSection, api, octets,
       "The given offset chooses the first descriptor by the lengths of those before it.",
       "needs an upper layer with several descriptors: S-15", {transfer_offset_ignored}},
      {"SMBD-3.1.4.6-3", must, any, kSection, api, octets,
       "The length of the local buffer says how many descriptors are used.", "likewise", {transfer_offset_ignored}},
      {"SMBD-3.1.4.6-4", must, any, kSection, api, octets,
       "Of the first descriptor the part behind the offset is used.", "likewise", {transfer_offset_ignored}},
      {"SMBD-3.1.4.6-5", must, any, kSection, api, octets,
       "Of the last descriptor the part up to the end of the data is used.", "likewise", {transfer_offset_ignored}},
      {"SMBD-3.1.4.6-6", must, any, kSection, api, octets,
       "The provider is asked for one RDMA Read or several, on this connection, of exactly those places.",
       "seen in the Read Requests, by whoever has lent the buffer", {transfer_offset_ignored}},
      {"SMBD-3.1.4.6-7", must, any, kSection, api, octets,
       "What the provider said is passed to the upper layer.", "the upper layer sees it",
       {transfer_ignores_lengths, transfer_other_token, transfer_result_wrong, transfer_result_lost}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::ReadRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::ReadRules, I> {
};
