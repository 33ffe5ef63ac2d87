// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct AtomicMessagesRules : Words {
  static constexpr std::string_view kSection5_2_1 = "RFC 7306 5.2.1";
  static constexpr std::string_view kSection5_2_2 = "RFC 7306 5.2.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAPX-5.2.1-1", must, any, kSection5_2_1, trace, octets,
       "A requester sets the 28 bits before AOpCode to zero.", {},
       {{atomic_reserved_set, "verbs"}, {atomic_reserved_set, initiator, "extended"}}},
      {"RDMAPX-5.2.1-2", must, any, kSection5_2_1, stimulus, octets,
       "A responder ignores the 28 bits before AOpCode.", {}, {{atomic_value_wrong, "rfc7306"}}},
      {"RDMAPX-5.2.1-3", must, any, kSection5_2_1, trace, octets,
       "Figure 5: AOpCode is 0 (FetchAdd) or 2 (CmpSwap).", "RDMAP/A-37, RDMAP/A-61"},
      {"RDMAPX-5.2.1-4", must, any, kSection5_2_1, stimulus, octets,
       "An RNIC with Atomic Operations implements every AOpCode of figure 5."},
      {"RDMAPX-5.2.1-6", must, any, kSection5_2_1, none, octets,
       "Remote Tagged Offset is that of an address that is a multiple of eight.",
       "RDMAPX-5.1.1-1 and RDMAPX-5.1.2-1 judge the same field, for each operation"},
      {"RDMAPX-5.2.1-7", must, any, kSection5_2_1, trace, octets,
       "A requester sets Compare Data of a FetchAdd to zero."},
      {"RDMAPX-5.2.1-8", must, any, kSection5_2_1, trace, octets,
       "A requester sets Compare Mask of a FetchAdd to all ones."},
      {"RDMAPX-5.2.1-9", must, any, kSection5_2_1, stimulus, octets,
       "A responder ignores Compare Data and Compare Mask of a FetchAdd.", {}, {{read_before_write, "rfc7306"}}},
      {"RDMAPX-5.2.1-10", must, any, kSection5_2_1, none, octets,
       "The Add or Swap Mask of an operation without a mask (Swap) is all ones.",
       "RDMAP/A-61: the text has no AOpCode for a Swap"},
      {"RDMAPX-5.2.1-11", must, any, kSection5_2_1, none, octets,
       "An Atomic Request is untagged.", "RDMAPX-4.1-7 judges the same bit"},
      {"RDMAPX-5.2.1-12", must, any, kSection5_2_1, none, octets,
       "One Atomic Request consumes one untagged buffer.",
       "On the wire that is one MSN, which DDP's numbering judges"},
      {"RDMAPX-5.2.1-13", must, any, kSection5_2_1, api, octets,
       "RDMAP processes an Atomic Request and does not deliver it to the ULP.",
       "It must not complete a receive of the responder's application", {{atomic_consumes_receive, "verbs pair"}}},
      {"RDMAPX-5.2.1-14", must, any, kSection5_2_1, stimulus, octets,
       "A responder surfaces an error for a request with an unsupported AOpCode.", "RDMAP/A-37",
       {{terminate_code_wrong, "rfc7306"}}},
      {"RDMAPX-5.2.1-15", must, any, kSection5_2_1, none, octets,
       "An Atomic Request is on queue 1.", "RDMAPX-4.1-11 judges the same field"},
      {"RDMAPX-5.2.1-16", must, any, kSection5_2_1, api, octets,
       "RDMAP passes Atomic Requests to DDP in the order in which the ULP submitted them.",
       "Only the application knows that order", {{work_reordered, "verbs pair"}}},
      {"RDMAPX-5.2.1-17", must, any, kSection5_2_1, stimulus, octets,
       "A responder processes Atomic Requests in the order in which they were sent.", {},
       {{read_before_write, "rfc7306"}}},
      {"RDMAPX-5.2.1-18", must, any, kSection5_2_1, stimulus, octets,
       "A responder answers a valid Atomic Request with a valid Atomic Response.",
       "RDMAP/A-63: no answer at all is a warning.",
       {{extensions_refused, "rfc7306"}}},
      {"RDMAPX-5.2.2-1", must, any, kSection5_2_2, trace, absence,
       "A responder sends an Atomic Response only for an Atomic Request that it has received."},
      {"RDMAPX-5.2.2-2", must, any, kSection5_2_2, trace, absence,
       "Original Request Identifier is the Request Identifier of the answered request.", {},
       {{atomic_identifier_wrong, "rfc7306"}}},
      {"RDMAPX-5.2.2-4", must, any, kSection5_2_2, none, absence,
       "An Atomic Response is untagged.", "RDMAPX-4.1-8 judges the same bit"},
      {"RDMAPX-5.2.2-5", must, any, kSection5_2_2, none, absence,
       "An Atomic Response is on queue 3.", "RDMAPX-4.1-12 judges the same field"},
      {"RDMAPX-5.2.2-6", must, any, kSection5_2_2, api, absence,
       "The responder has buffers on queue 1 for all Atomic Requests that were negotiated, besides those for Reads.",
       "Only the ULPs, as consumers of verbs, know how many were negotiated", {{ird_off_by_one, "verbs"}}},
      {"RDMAPX-5.2.2-7", must, any, kSection5_2_2, api, absence,
       "The requester has buffers on queue 3 for all Atomic Requests that were negotiated.",
       "Only the ULPs, as consumers of verbs, know how many were negotiated", {{atomic_responses_short, "verbs"}}},
      {"RDMAPX-5.2.2-8", must, any, kSection5_2_2, api, absence,
       "RDMAP delivers an Atomic Response to the ULP.", "The requester's completion shows it",
       {{atomic_result_lost, "verbs pair"}}},
      {"RDMAPX-5.2.2-9", must, any, kSection5_2_2, stimulus, octets,
       "A requester surfaces an error for an invalid Atomic Response.", {},
       {{accepts_unasked_response, "rfc7306"}, {accepts_atomic_identifier, "extended"}}},
      {"RDMAPX-5.2.2-10", must, any, kSection5_2_2, trace, absence,
       "A responder sends Atomic Responses in the order of their requests."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::AtomicMessagesRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::AtomicMessagesRules, I> {
};
