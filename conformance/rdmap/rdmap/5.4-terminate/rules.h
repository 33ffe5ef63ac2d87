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
       "The row of figure 4 (RFC 5040 4.1) for the Terminate says the same of the same bit and is judged"},
      {"RDMAP-5.4-2", must, any, kSection, none, octets,
       "A Terminate is on queue 2.",
       "The row of figure 4 (RFC 5040 4.1) for the Terminate says the same of the same field and is judged"},
      {"RDMAP-5.4-3", must, any, kSection, none, octets,
       "One Terminate takes one untagged buffer.", "On the wire that is one MSN, which DDP's numbering judges"},
      {"RDMAP-5.4-4", must, any, kSection, trace, octets,
       "There is always a buffer for the one Terminate of a stream, so none is refused for want of it.", "RDMAP/A-44"},
      {"RDMAP-5.4-5", must, any, kSection, stimulus, octets,
       "A Terminate is delivered: it comes whole before the stream ends.", {}, {terminate_missing}},
      {"RDMAP-5.4-6", must, any, kSection, api, octets,
       "RDMAP delivers a Terminate that it receives to the ULP.",
       "An asynchronous error event of the verbs, or the error of the upper layer, shows it",
       {{terminate_ignored, "verbs"}, {error_not_surfaced, "pair"}}},
      {"RDMAP-5.4-7", must, any, kSection, api, octets,
       "An invalid Terminate is surfaced as an error at its receiver.",
       "RDMAP/A-43: a local error only; the verbs' error event shows it. A Terminate in reply is taken",
       {{invalid_terminate_ignored, "verbs"}}},
      {"RDMAP-5.4-8", must, any, kSection, api, octets,
       "Operations that have not been passed to DDP when a Terminate is sent or received complete in error.",
       "The completion queue shows it", {{work_not_flushed, "verbs pair"}, {work_flushed_as_success, "verbs pair"}}},
      {"RDMAP-5.4-9", must_not, any, kSection, trace, octets,
       "After its Terminate a side sends no more messages on that stream.", "RDMAP/A-17, RDMAP/A-44",
       {terminate_twice, sends_after_terminate}},
      {"RDMAP-5.4-11", must, any, kSection, trace, octets,
       "Since a side sends one Terminate at most, its MSN is 1.",
       "Judged where the capture lacks the beginning or a part; elsewhere DDP's numbering (RFC 5041 4.3) is judged"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::TerminateRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::TerminateRules, I> {
};
