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
       "DDP sends the RsvdULP that its ULP has given.", "Only the verbs show what RDMAP gave",
       {{header_before_payload, "verbs"}}},
      {"DDP-4.2-3", must, any, kSection, api, octets,
       "DDP passes RsvdULP up with the message.", "Between DDP and RDMAP of one implementation"},
      {"DDP-4.2-4", must, any, kSection, trace, octets,
       "A sender uses the same RsvdULP in each segment of a tagged message."},
      {"DDP-4.2-5", must, any, kSection, stimulus, octets,
       "A sender uses an STag that is valid for the stream.",
       "A case has advertised one STag; DDP-7.1 judges what a receiver does with a wrong one",
       {{write_stag_unknown, initiator}}},
      {"DDP-4.2-6", must, any, kSection, api, octets,
       "DDP sends the STag that its ULP has given.",
       "Seen through verbs; RDMAP-4.4 judges the STag of a Read Response", {{to_wrong, "verbs pair"}}},
      {"DDP-4.2-7", must, any, kSection, api, octets,
       "DDP passes the STag up with the message.", "Between DDP and RDMAP of one implementation"},
      {"DDP-4.2-8", must, any, kSection, trace, octets,
       "A sender uses the same STag in each segment of a tagged message.",
       "RDMAP/A-25: the STag of a segment without payload means nothing", {stag_changes}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpTaggedHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpTaggedHeaderRules, I> {
};
