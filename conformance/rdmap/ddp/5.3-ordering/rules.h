// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 5.3: the order of messages, and of segments within one. Judged in the account of messages.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpOrderingRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 5.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-5.3-1", must, any, kSection, trace, octets,
       "Messages are sent in the order in which they were submitted, one after the other.",
       "RDMAP/A-38: segments of two messages mixed are not forbidden in words, so a breach is a warning; the order "
       "of submission itself is known to verbs", {{messages_interleaved, initiator, warning}}},
      {"DDP-5.3-2", should, any, kSection, trace, octets,
       "The segments of a message are sent with increasing MO or TO.", "RDMAP/A-23"},
      {"DDP-5.3-3", must, any, kSection, stimulus, octets,
       "A message is delivered at most once.", {}, {{response_unasked, responder}}},
      {"DDP-5.3-4", must, any, kSection, stimulus, octets,
       "Messages are delivered in the order in which they were sent.", "also RFC 5040, 5.3 and 5.5, rule 10",
       {{receives_reordered, "pair"}, {enhanced_little_endian, initiator}, {send_lost, initiator}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpOrderingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpOrderingRules, I> {
};
