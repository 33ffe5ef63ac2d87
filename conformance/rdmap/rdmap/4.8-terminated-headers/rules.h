// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct TerminatedHeadersRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 4.8";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-4.8-22", should, any, kSection, trace, octets,
       "Figure 10, Local Catastrophic Error: the M bit is clear.", "RDMAP-4.8-13 judges the D bit"},
      {"RDMAP-4.8-23", should, any, kSection, trace, octets,
       "Figure 10, Local Catastrophic Error: the R bit is clear."},
      {"RDMAP-4.8-24", should, any, kSection, trace, octets,
       "Figure 10, Remote Protection Error: the M and D bits are set, if possible.", "RDMAP/A-03, RDMAP/A-21"},
      {"RDMAP-4.8-25", should, any, kSection, trace, octets,
       "Figure 10, Remote Protection Error: the R bit is set for a Read Request.", "RDMAP/A-05"},
      {"RDMAP-4.8-26", should, any, kSection, trace, octets,
       "Figure 10, Remote Protection Error: only a Read Request, or a Send that invalidates an STag, can cause it.",
       "RDMAP/A-27, RDMAP/A-36", {terminate_layer_swapped}},
      {"RDMAP-4.8-27", should, any, kSection, trace, octets,
       "Figure 10, Remote Operation Error: the M and D bits are set, if possible.",
       "RDMAP/A-03, RDMAP/A-20, RDMAP/A-21"},
      {"RDMAP-4.8-28", should, any, kSection, none, octets,
       "Figure 10, Remote Operation Error: the R bit is clear.",
       "RDMAP/A-07: section 7.1 requires the header for a Read Request, so both are right; for any other message "
       "RDMAP-4.8-14 judges it"},
      {"RDMAP-4.8-29", should, any, kSection, trace, octets,
       "Figure 10, DDP errors: the M and D bits are set.", "RDMAP/A-03, RDMAP/A-08"},
      {"RDMAP-4.8-30", should, any, kSection, trace, octets,
       "Figure 10, DDP errors: the R bit is clear.", "RDMAP/A-08"},
      {"RDMAP-4.8-31", should, any, kSection, trace, octets,
       "Figure 10, LLP errors: the M and D bits are clear.", "RDMAP/A-08"},
      {"RDMAP-4.8-32", should, any, kSection, trace, octets,
       "Figure 10, LLP errors: the R bit is clear.", "RDMAP/A-08"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::TerminatedHeadersRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::TerminatedHeadersRules, I> {
};
