// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.2: the header of tagged segments. DDP-4.2-5 is in tagged_header_cases.cc.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpTaggedHeaderRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 4.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-4.2-1", must, any, kSection, trace, octets,
       "A tagged segment has the whole tagged header of 14 octets (figure 4)."},
      {"DDP-4.2-2", must, any, kSection, api, octets,
       "DDP sends the RsvdULP that its ULP has given it.", "what RDMAP meant by it is known to verbs alone",
       {{header_before_payload, "verbs"}}},
      {"DDP-4.2-3", must, any, kSection, api, octets,
       "DDP hands RsvdULP up with the message.", "between DDP and RDMAP of one implementation"},
      {"DDP-4.2-4", must, any, kSection, trace, octets,
       "RsvdULP is the same in each segment of a tagged message."},
      {"DDP-4.2-5", must, any, kSection, stimulus, octets,
       "The STag is valid for this stream.",
       "A case has advertised one STag; what a receiver makes of a wrong one is judged by DDP-7.1",
       {{write_stag_unknown, initiator}}},
      {"DDP-4.2-6", must, any, kSection, api, octets,
       "DDP sends the STag that its ULP has given it.",
       "seen through verbs; that of a Read Response is judged by RDMAP-4.4", {{to_wrong, "verbs pair"}}},
      {"DDP-4.2-7", must, any, kSection, api, octets,
       "DDP hands the STag up with the message.", "between DDP and RDMAP of one implementation"},
      {"DDP-4.2-8", must, any, kSection, trace, octets,
       "The STag is the same in each segment of a tagged message.",
       "RDMAP/A-25: the STag of a segment without payload means nothing", {stag_changes}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpTaggedHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpTaggedHeaderRules, I> {
};
