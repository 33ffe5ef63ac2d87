// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 6: Immediate Data. A trace shows only its fields (header_extensions.cc).
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct ImmediateDataRules : Words {
  static constexpr std::string_view kSection6_1 = "RFC 7306 6.1";
  static constexpr std::string_view kSection6_3 = "RFC 7306 6.3";
  static constexpr std::string_view kSection6_4 = "RFC 7306 6.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAPX-6.1-1", must, any, kSection6_1, api, octets,
       "RDMAP passes the eight octets to the ULP, with an event if the ULP requested one.",
       "The receiver's completion carries them",
       {{immediate_value_wrong, "verbs pair"}, {solicited_not_told, "verbs"}}},
      {"RDMAPX-6.1-2", must, any, kSection6_1, stimulus, octets,
       "A receiver sends a Terminate if Immediate Data completes in error.", "RDMAP/A-37",
       {{terminate_missing, "rfc7306"}}},
      {"RDMAPX-6.3-1", must, any, kSection6_3, none, octets,
       "Immediate Data is untagged.", "RDMAPX-4.1-5 and RDMAPX-4.1-6 judge the same bit"},
      {"RDMAPX-6.3-2", must, any, kSection6_3, none, octets,
       "Immediate Data consumes one untagged buffer.", "On the wire that is one MSN, which DDP's numbering judges"},
      {"RDMAPX-6.3-3", must, any, kSection6_3, api, octets,
       "RDMAP delivers Immediate Data to the ULP in the order in which it was sent.",
       "The receiver's completions show it", {{receives_reordered, "verbs pair"}}},
      {"RDMAPX-6.3-4", must, any, kSection6_3, none, octets,
       "Immediate Data is on queue 0.", "RDMAPX-4.1-9 and RDMAPX-4.1-10 judge the same field"},
      {"RDMAPX-6.3-5", must, any, kSection6_3, none, octets,
       "RDMAP asks DDP to send eight octets.", "RDMAPX-4.2-1, -2, -5 and -6 judge the same length"},
      {"RDMAPX-6.3-6", must, any, kSection6_3, api, octets,
       "RDMAP issues Immediate Data in the order in which the ULP submitted it.",
       "Only the application knows that order", {{work_reordered, "verbs pair"}}},
      {"RDMAPX-6.3-7", must, any, kSection6_3, stimulus, octets,
       "A receiver checks that Immediate Data has exactly eight octets.", "RDMAP/A-37",
       {{accepts_immediate_size, "rfc7306"}}},
      {"RDMAPX-6.4-1", must, any, kSection6_4, api, octets,
       "Immediate Data has the ordering and completion rules of a Send.", "The completions of both sides show it",
       {{completions_reordered, "verbs pair"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::ImmediateDataRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::ImmediateDataRules, I> {
};
