// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct ErrorSurfacingRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 7.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-7.1-1", must, any, kSection, api, octets,
       "RDMAP reports an error to the local ULP, as far as that is possible.",
       "A completion in error or an error event of the verbs shows it",
       {{error_not_surfaced, "verbs pair"}, {local_fault_ignored, "pair"}}},
      {"RDMAP-7.1-2", must, any, kSection, trace, octets,
       "Headers that HdrCt does not announce are absent, or zero.", "RDMAP/A-04: zeros are a warning",
       {terminate_tail}},
      {"RDMAP-7.1-3", must, any, kSection, api, octets,
       "If an error occurs while it creates a message, RDMAP sends a Terminate without headers instead.",
       "RDMAP/A-20: only the application can cause such an error, with an invalid local buffer",
       {{terminate_missing, "verbs"}}},
      {"RDMAP-7.1-4", must, any, kSection, stimulus, octets,
       "A receiver sends a Terminate for an error in an incoming Write, Send or Read Response.", {},
       {terminate_missing, terminate_missing_stays, reset_for_terminate, goes_silent, dies_of_bad_opcode}},
      {"RDMAP-7.1-5", must, any, kSection, stimulus, octets,
       "The Terminate for such a message has type, code, segment length and terminated DDP header, but no RDMA "
       "header.", "RDMAP/A-05, RDMAP/A-06, RDMAP/A-08, RDMAP/A-21",
       {{terminate_no_headers, warning}, terminate_d_clear}},
      {"RDMAP-7.1-6", must, any, kSection, stimulus, octets,
       "A receiver sends a Terminate for an error in an incoming Read Request.", {}, {accepts_stag}},
      {"RDMAP-7.1-7", must, any, kSection, stimulus, octets,
       "The Terminate for a Read Request has type, code, segment length and both terminated headers.",
       "RDMAP/A-06, RDMAP/A-07, RDMAP/A-08", {terminate_read_missing}},
      {"RDMAP-7.1-8", should, any, kSection, stimulus, octets,
       "RDMAP sends the Terminate at the earliest opportunity, before messages that have not begun.", {},
       {{terminate_missing, responder, warning}}},
      {"RDMAP-7.1-9", must, any, kSection, stimulus, octets,
       "If several messages are faulty, the Terminate captures the first.", "RDMAP/A-68", {terminate_read_missing}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::ErrorSurfacingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::ErrorSurfacingRules, I> {
};
