// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct ExtensionOrderingRules : Words {
  static constexpr std::string_view kSection = "RFC 7306 7";
  static constexpr std::string_view kCompletions = "The completions at the remote peer show it";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAPX-7-1", must, any, kSection, api, octets,
       "Immediate Data, then Send: they complete in this order.", kCompletions, {{receives_reordered, "verbs pair"}}},
      {"RDMAPX-7-2", must, any, kSection, api, octets,
       "Immediate Data, then Read: the responder generates the response after the Immediate Data has completed.",
       kCompletions, {{receive_told_late, "verbs"}}},
      {"RDMAPX-7-3", must, any, kSection, api, octets,
       "Immediate Data, then Atomic: the responder generates the response after the Immediate Data has completed.",
       kCompletions, {{receive_told_late, "verbs"}}},
      {"RDMAPX-7-4", must, any, kSection, api, octets,
       "Immediate Data or Send, then Immediate Data: they complete in this order.", kCompletions,
       {{receives_reordered, "verbs pair"}}},
      {"RDMAPX-7-5", must, any, kSection, api, octets,
       "Write, then Immediate Data: the Immediate Data completes after the Write has been placed and delivered.",
       kCompletions, {{delivers_before_placing, "verbs pair"}}},
      {"RDMAPX-7-8", must, any, kSection, trace, absence,
       "Atomic, then Read: the responder sends no Read Response before the Atomic Response.", "RDMAP/A-36"},
      {"RDMAPX-7-9", must, any, kSection, stimulus, octets,
       "Atomic, then Atomic: the responder processes the second after it has generated the first response.", {},
       {{atomic_not_applied, "rfc7306"}}},
      {"RDMAPX-7-10", must, any, kSection, api, octets,
       "Send, then Atomic: the responder generates the response after the Send has completed.", kCompletions,
       {{receive_told_late, "verbs"}}},
      {"RDMAPX-7-11", must, any, kSection, stimulus, octets,
       "Write, then Atomic: the operation finds the data of the Write.", {}, {{writes_not_placed, "rfc7306"}}},
      {"RDMAPX-7-12", must, any, kSection, trace, absence,
       "Read, then Atomic: the responder sends no Atomic Response before the Read Response.", "RDMAP/A-36"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::ExtensionOrderingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::ExtensionOrderingRules, I> {
};
