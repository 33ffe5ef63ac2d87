// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct RawAddressRules : Words {
  static constexpr std::string_view k1_4Table1_5 = "EFA RDM v4 1.4, table 1.5";
  static constexpr std::string_view kSection = "EFA RDM v4 1.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-1.4-1", must, requester, k1_4Table1_5, trace, octets,
       "A requester's raw address has at least the 32 octets of table 1.5.", "EFA/A-07",
       {raw_address_short, {raw_address_short, responder}}},
      {"EFA-1.4-2", must, requester, k1_4Table1_5, trace, octets,
       "The gid in a requester's raw address is that of the device that sends the packet, in IPv6 format.",
       "EFA/A-21, EFA/A-63: a warning over UDP", {raw_address_wrong_gid, {raw_address_wrong_gid, responder}}},
      {"EFA-1.4-3", must, requester, k1_4Table1_5, trace, octets,
       "The qpn in a requester's raw address is that of the queue pair that sends the packet.",
       "EFA/A-63: a warning over UDP",
       {raw_address_wrong_qpn, {raw_address_wrong_qpn, responder}}},
      {"EFA-1.4-4", must, requester, kSection, trace, absence,
       "A requester sends the same raw address in all its packets.", "EFA/A-42, EFA/A-64"},
      {"EFA-1.4-5", should, any, kSection, api, octets,
       "An endpoint generates a random integer as its connection ID when it is opened.",
       "One endpoint has one connid. Only opening the same queue pair many times would show whether it is random"},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::RawAddressRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::RawAddressRules, I> {
};
