// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 5.3: the order of messages, and of segments within one.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpOrderingRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 5.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-5.3-1", must, any, kSection, trace, octets,
       "DDP sends messages one after another, in the order in which they were submitted.",
       "RDMAP/A-38: no text forbids mixing the segments of two messages, so a breach is a warning; only the verbs "
       "show the order of submission", {{messages_interleaved, initiator, warning}}},
      {"DDP-5.3-2", should, any, kSection, trace, octets,
       "A sender sends the segments of a message with increasing MO or TO.", "RDMAP/A-23"},
      {"DDP-5.3-3", must, any, kSection, stimulus, octets,
       "DDP delivers a message at most once.", {}, {{response_unasked, responder}}},
      {"DDP-5.3-4", must, any, kSection, stimulus, octets,
       "DDP delivers messages in the order in which they were sent.", "Also RFC 5040, 5.3 and 5.5, rule 10",
       {{receives_reordered, "pair"}, {enhanced_little_endian, initiator}, {send_lost, initiator}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpOrderingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpOrderingRules, I> {
};
