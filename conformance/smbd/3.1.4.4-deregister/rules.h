// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.4: the upper layer deregisters its memory.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct DeregisterRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.4.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.4.4-1", must, any, kSection, api, octets,
       "Deregister Buffer deregisters each region that a descriptor names.", "Shown by an RDMA operation, which fails",
       {deregistered_stays}},
      {"SMBD-3.1.4.4-2", must, any, kSection, api, octets,
       "If any deregistration fails, the upper layer gets the error.", "The upper layer sees it",
       {deregistered_stays}},
      {"SMBD-3.1.4.4-3", must, any, kSection, api, octets,
       "When Deregister Buffer returns, the peer's access to the buffer is complete.",
       "Shown by memory that no longer changes"},
      {"SMBD-3.1.4.4-4", must, any, kSection, api, octets,
       "After Deregister Buffer, the peer can access no octet of the buffer.",
       "Shown by an RDMA operation, which ends the connection", {deregistered_stays}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::DeregisterRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::DeregisterRules, I> {
};
