// SPDX-License-Identifier: Apache-2.0
// RFC 5042: what it asks of an implementation of RDMAP and DDP and RFC 5040, 8.1, and RFC 5041, 8.3, do not ask again
// in so many words (rdmap/8-security, ddp/8-security). What it asks of upper layers is theirs to show.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct StagsRules : Words {
  static constexpr std::string_view kSection = "RFC 5042 6.1.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMASEC-6.1.1-1", must, any, kSection, api, octets,
       "Without sharing of STags, each stream has a protection domain of its own or each STag a single stream.",
       "the verbs that register memory and make queues show it", {{protection_domains_ignored, "verbs pair"}}},
      {"RDMASEC-6.1.1-2", must, any, kSection, stimulus, octets,
       "A stream that uses an STag which is another stream's is refused, and ends.",
       "RDMAP/A-02; an STag that is good for the whole protection domain may be taken: warned",
       {{accepts_foreign_stag, responder, warning}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::StagsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::StagsRules, I> {
};
