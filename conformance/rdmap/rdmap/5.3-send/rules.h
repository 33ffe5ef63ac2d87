// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.3: the Send Message Type. What a stimulus can show of it is in send_cases.cc.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct SendRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 5.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-5.3-1", must, any, kSection, none, octets,
       "A Send of any type is marked as untagged.", "judged by RDMAP-4.1-13 to -16"},
      {"RDMAP-5.3-2", must, any, kSection, none, octets,
       "A Send of any type consumes one untagged buffer.",
       "seen in the MSNs that are taken: DDP-7.1-5 and RDMAP-5.3-8"},
      {"RDMAP-5.3-3", must, any, kSection, none, octets,
       "A Send that is longer than its buffer is an error.", "judged by DDP-7.1-4"},
      {"RDMAP-5.3-4", must, any, kSection, none, octets,
       "Sends are delivered in the order in which they were sent.", "judged by DDP-5.3-4"},
      {"RDMAP-5.3-5", must, any, kSection, none, octets,
       "An invalid Send that is delivered to RDMAP surfaces an error.", "RDMAP/A-15; judged by RDMAP-7.2"},
      {"RDMAP-5.3-6", must, any, kSection, none, octets,
       "A Send of any type is on queue 0.", "judged by RDMAP-4.1-23 to -26"},
      {"RDMAP-5.3-7", must, any, kSection, api, octets,
       "Sends are issued in the order in which the ULP has submitted them.", "known to the user of the verbs",
       {{work_reordered, "verbs pair"}}},
      {"RDMAP-5.3-8", must, any, kSection, stimulus, octets,
       "A Send of no octets consumes an untagged buffer, and is delivered like any other.", {},
       {zero_length_send_not_counted}},
      {"RDMAP-5.3-9", must, any, kSection, api, octets,
       "A Send with Invalidate of either type references an STag.",
       "RDMAP/A-16: any 32 bits may be one; whether it is the one that was meant is known to verbs",
       {{invalidate_stag_lost, "verbs pair"}}},
      {"RDMAP-5.3-10", must, any, kSection, none, octets,
       "It is verified that the STag to be invalidated is associated with the stream.",
       "RDMAP/A-16; judged by RDMAP-5.3-12"},
      {"RDMAP-5.3-11", must, any, kSection, stimulus, octets,
       "A Send with Invalidate that is delivered invalidates its STag, where that is associated with the stream.",
       "RDMAP/A-67: one that is refused, as an STag that several streams share has to be, is warned of.",
       {{invalidation_ignored, "pair"}}},
      {"RDMAP-5.3-12", must, any, kSection, stimulus, octets,
       "A Send with Invalidate whose STag is not associated with the stream is refused: STag cannot be Invalidated.",
       "RDMAP/A-02", {accepts_invalidation}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::SendRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::SendRules, I> {
};
