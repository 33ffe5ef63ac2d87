// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 5.4: when a message is delivered, and with which values. The cases are in data_transfer_cases.cc.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpDeliveryRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 5.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-5.4-1", must, any, kSection, stimulus, octets,
       "DDP delivers a message only when its last segment, all its other segments, and all earlier messages have "
       "come.", "Also RFC 5040, 5.5, rule 16", {{writes_not_placed, "pair"}}},
      {"DDP-5.4-2", must, any, kSection, stimulus, octets,
       "DDP passes the length of a delivered untagged message to the ULP.", {}, {{messages_interleaved, responder}}},
      {"DDP-5.4-3", must, any, kSection, none, octets,
       "DDP passes RsvdULP up when it delivers a message.", "The same as DDP-4.2-3 and DDP-4.3-3"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpDeliveryRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpDeliveryRules, I> {
};
