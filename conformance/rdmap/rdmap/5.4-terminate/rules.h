// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct TerminateRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 5.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-5.4-1", must, any, kSection, none, octets,
       "A Terminate references an untagged buffer: its T bit is clear.",
       "The Terminate's row in figure 4 (RFC 5040 4.1) requires the same of the same bit and is judged"},
      {"RDMAP-5.4-2", must, any, kSection, none, octets,
       "A Terminate is on queue 2.",
       "The Terminate's row in figure 4 (RFC 5040 4.1) requires the same of the same field and is judged"},
      {"RDMAP-5.4-3", must, any, kSection, none, octets,
       "One Terminate consumes one untagged buffer.", "On the wire that is one MSN, which DDP's numbering judges"},
      {"RDMAP-5.4-4", must, any, kSection, trace, octets,
       "A receiver always has a buffer for the one Terminate of a stream, so it never refuses one for lack of a "
       "buffer.", "RDMAP/A-44"},
      {"RDMAP-5.4-5", must, any, kSection, stimulus, octets,
       "A side sends its whole Terminate before the stream ends, so that it is delivered.", {}, {terminate_missing}},
      {"RDMAP-5.4-6", must, any, kSection, api, octets,
       "RDMAP delivers a received Terminate to the ULP.",
       "An asynchronous error event of the verbs, or the error of the upper layer, shows it",
       {{terminate_ignored, "verbs"}, {error_not_surfaced, "pair"}}},
      {"RDMAP-5.4-7", must, any, kSection, api, octets,
       "A receiver surfaces an invalid Terminate as an error.",
       "RDMAP/A-43: a local error only; the verbs' error event shows it. A Terminate in reply is accepted",
       {{invalid_terminate_ignored, "verbs"}}},
      {"RDMAP-5.4-8", must, any, kSection, api, octets,
       "When a Terminate is sent or received, RDMAP completes operations that it has not passed to DDP in error.",
       "The completion queue shows it", {{work_not_flushed, "verbs pair"}, {work_flushed_as_success, "verbs pair"}}},
      {"RDMAP-5.4-9", must_not, any, kSection, trace, octets,
       "A side sends no more messages on a stream after its Terminate.", "RDMAP/A-17, RDMAP/A-44",
       {terminate_twice, sends_after_terminate}},
      {"RDMAP-5.4-11", must, any, kSection, trace, octets,
       "A side sends at most one Terminate, so its MSN is 1.",
       "Judged if the capture lacks the beginning or a part; otherwise DDP's numbering (RFC 5041 4.3) is judged"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::TerminateRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::TerminateRules, I> {
};
