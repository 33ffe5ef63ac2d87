// SPDX-License-Identifier: Apache-2.0
// RFC 5042: requirements for RDMAP and DDP that RFC 5040, 8.1, and RFC 5041, 8.3, do not repeat (rdmap/8-security,
// ddp/8-security). Its requirements for upper layers are not judged.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct StagsRules : Words {
  static constexpr std::string_view kSection = "RFC 5042 6.1.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMASEC-6.1.1-1", must, any, kSection, api, octets,
       "Unless streams share STags, each stream has its own protection domain, or each STag belongs to one stream.",
       "The verbs that register memory and create queues show it", {{protection_domains_ignored, "verbs pair"}}},
      {"RDMASEC-6.1.1-2", must, any, kSection, stimulus, octets,
       "A receiver refuses the use of another stream's STag, and ends the stream that used it.",
       "RDMAP/A-02; if the STag is valid in the whole protection domain, accepting it is a warning",
       {{accepts_foreign_stag, responder, warning}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::StagsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::StagsRules, I> {
};
