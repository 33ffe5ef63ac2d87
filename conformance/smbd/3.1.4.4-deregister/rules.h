// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.4: an upper layer takes its memory back.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct DeregisterRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.4.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.4.4-1", must, any, kSection, api, octets,
       "Each region that a descriptor names is taken back from the provider.",
       "shown by an RDMA operation, which fails", {deregistered_stays}},
      {"SMBD-3.1.4.4-2", must, any, kSection, api, octets,
       "An error of any of them is passed to the upper layer.", "the upper layer sees it", {deregistered_stays}},
      {"SMBD-3.1.4.4-3", must, any, kSection, api, octets,
       "What the peer has begun is complete when it is done.", "shown by memory that changes no more"},
      {"SMBD-3.1.4.4-4", must, any, kSection, api, octets,
       "From then on the peer reaches none of it.", "shown by an RDMA operation, which ends the connection",
       {deregistered_stays}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::DeregisterRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::DeregisterRules, I> {
};
