// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct ErrorSurfacingRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 7.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-7.1-1", must, any, kSection, api, octets,
       "An error is reported to the local ULP, as far as that is possible.",
       "A completion in error or an error event of the verbs shows it",
       {{error_not_surfaced, "verbs pair"}, {local_fault_ignored, "pair"}}},
      {"RDMAP-7.1-2", must, any, kSection, trace, octets,
       "Headers that HdrCt does not announce are not there, or zero.", "RDMAP/A-04: zeros are a warning",
       {terminate_tail}},
      {"RDMAP-7.1-3", must, any, kSection, api, octets,
       "An error found while a message is created sends a Terminate in its place, without headers.",
       "RDMAP/A-20: only the application can bring such an error about, with a buffer of its own that is not valid",
       {{terminate_missing, "verbs"}}},
      {"RDMAP-7.1-4", must, any, kSection, stimulus, octets,
       "An error on an incoming Write, Send or Read Response sends a Terminate.", {},
       {terminate_missing, terminate_missing_stays, reset_for_terminate, goes_silent, dies_of_bad_opcode}},
      {"RDMAP-7.1-5", must, any, kSection, stimulus, octets,
       "The Terminate for such a message has type, code, segment length and terminated DDP header, no RDMA header.",
       "RDMAP/A-05, RDMAP/A-06, RDMAP/A-08, RDMAP/A-21", {{terminate_no_headers, warning}, terminate_d_clear}},
      {"RDMAP-7.1-6", must, any, kSection, stimulus, octets,
       "An error on an incoming Read Request sends a Terminate.", {}, {accepts_stag}},
      {"RDMAP-7.1-7", must, any, kSection, stimulus, octets,
       "The Terminate for a Read Request has type, code, segment length and both terminated headers.",
       "RDMAP/A-06, RDMAP/A-07, RDMAP/A-08", {terminate_read_missing}},
      {"RDMAP-7.1-8", should, any, kSection, stimulus, octets,
       "The Terminate goes out at the earliest opportunity, before messages that have not begun.", {},
       {{terminate_missing, responder, warning}}},
      {"RDMAP-7.1-9", must, any, kSection, stimulus, octets,
       "Of several messages that are at fault, the Terminate captures the first.", "RDMAP/A-68",
       {terminate_read_missing}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::ErrorSurfacingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::ErrorSurfacingRules, I> {
};
