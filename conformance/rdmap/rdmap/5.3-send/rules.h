// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.3: the Send Message Type. The cases are in send_cases.cc.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct SendRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 5.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-5.3-1", must, any, kSection, none, octets,
       "A sender marks a Send of any type as untagged.", "Judged by RDMAP-4.1-13 to -16"},
      {"RDMAP-5.3-2", must, any, kSection, none, octets,
       "A Send of any type consumes one untagged buffer.", "Seen in the MSNs: DDP-7.1-5 and RDMAP-5.3-8"},
      {"RDMAP-5.3-3", must, any, kSection, none, octets,
       "A receiver treats a Send longer than its buffer as an error.", "Judged by DDP-7.1-4"},
      {"RDMAP-5.3-4", must, any, kSection, none, octets,
       "A receiver delivers Sends in the order in which they were sent.", "Judged by DDP-5.3-4"},
      {"RDMAP-5.3-5", must, any, kSection, none, octets,
       "RDMAP surfaces an error if DDP delivers an invalid Send.", "RDMAP/A-15; judged by RDMAP-7.2"},
      {"RDMAP-5.3-6", must, any, kSection, none, octets,
       "A sender sends a Send of any type on queue 0.", "Judged by RDMAP-4.1-23 to -26"},
      {"RDMAP-5.3-7", must, any, kSection, api, octets,
       "RDMAP issues Sends in the order in which the ULP submitted them.", "Only the user of the verbs knows it",
       {{work_reordered, "verbs pair"}}},
      {"RDMAP-5.3-8", must, any, kSection, stimulus, octets,
       "A Send of zero octets consumes an untagged buffer, and is delivered like any other.", {},
       {zero_length_send_not_counted}},
      {"RDMAP-5.3-9", must, any, kSection, api, octets,
       "A Send with Invalidate of either type names an STag.",
       "RDMAP/A-16: any 32 bits may be an STag; only the verbs show which one was meant",
       {{invalidate_stag_lost, "verbs pair"}}},
      {"RDMAP-5.3-10", must, any, kSection, none, octets,
       "A receiver checks that the STag to invalidate is associated with the stream.",
       "RDMAP/A-16; judged by RDMAP-5.3-12"},
      {"RDMAP-5.3-11", must, any, kSection, stimulus, octets,
       "A delivered Send with Invalidate invalidates its STag if that is associated with the stream.",
       "RDMAP/A-67: a refusal is a warning, since an STag that streams share must be refused.",
       {{invalidation_ignored, "pair"}}},
      {"RDMAP-5.3-12", must, any, kSection, stimulus, octets,
       "If the STag of a Send with Invalidate is not associated with the stream, a receiver reports STag cannot be "
       "Invalidated.", "RDMAP/A-02", {accepts_invalidation}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::SendRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::SendRules, I> {
};
