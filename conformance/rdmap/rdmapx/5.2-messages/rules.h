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
       "The 28 bits before AOpCode are zero.", {},
       {{atomic_reserved_set, "verbs"}, {atomic_reserved_set, initiator, "extended"}}},
      {"RDMAPX-5.2.1-2", must, any, kSection5_2_1, stimulus, octets,
       "The 28 bits before AOpCode are ignored on receipt.", {}, {{atomic_value_wrong, "rfc7306"}}},
      {"RDMAPX-5.2.1-3", must, any, kSection5_2_1, trace, octets,
       "Figure 5: AOpCode is 0 (FetchAdd) or 2 (CmpSwap).", "RDMAP/A-37, RDMAP/A-61"},
      {"RDMAPX-5.2.1-4", must, any, kSection5_2_1, stimulus, octets,
       "An RNIC with Atomic Operations implements every AOpCode of figure 5."},
      {"RDMAPX-5.2.1-6", must, any, kSection5_2_1, none, octets,
       "Remote Tagged Offset represents an address that is a multiple of eight.",
       "RDMAPX-5.1.1-1 and RDMAPX-5.1.2-1 judge the same field, by operation"},
      {"RDMAPX-5.2.1-7", must, any, kSection5_2_1, trace, octets,
       "Compare Data of a FetchAdd is zero."},
      {"RDMAPX-5.2.1-8", must, any, kSection5_2_1, trace, octets,
       "Compare Mask of a FetchAdd is all ones."},
      {"RDMAPX-5.2.1-9", must, any, kSection5_2_1, stimulus, octets,
       "Compare Data and Compare Mask of a FetchAdd are ignored on receipt.", {}, {{read_before_write, "rfc7306"}}},
      {"RDMAPX-5.2.1-10", must, any, kSection5_2_1, none, octets,
       "The Add or Swap Mask of an operation that is not masked (Swap) is all ones.",
       "RDMAP/A-61: the text has no AOpCode for a Swap"},
      {"RDMAPX-5.2.1-11", must, any, kSection5_2_1, none, octets,
       "An Atomic Request is untagged.", "RDMAPX-4.1-7 judges the same bit"},
      {"RDMAPX-5.2.1-12", must, any, kSection5_2_1, none, octets,
       "One Atomic Request takes one untagged buffer.", "On the wire that is one MSN, which DDP's numbering judges"},
      {"RDMAPX-5.2.1-13", must, any, kSection5_2_1, api, octets,
       "An Atomic Request is processed by RDMAP and not delivered to the ULP.",
       "No completion of a receive at the responder's application may come of it",
       {{atomic_consumes_receive, "verbs pair"}}},
      {"RDMAPX-5.2.1-14", must, any, kSection5_2_1, stimulus, octets,
       "A request with an AOpCode that is not supported is surfaced as an error.", "RDMAP/A-37",
       {{terminate_code_wrong, "rfc7306"}}},
      {"RDMAPX-5.2.1-15", must, any, kSection5_2_1, none, octets,
       "An Atomic Request is on queue 1.", "RDMAPX-4.1-11 judges the same field"},
      {"RDMAPX-5.2.1-16", must, any, kSection5_2_1, api, octets,
       "Atomic Requests go to DDP in the order in which the ULP submitted them.", "The application knows that order",
       {{work_reordered, "verbs pair"}}},
      {"RDMAPX-5.2.1-17", must, any, kSection5_2_1, stimulus, octets,
       "Atomic Requests are processed in the order in which they were sent.", {}, {{read_before_write, "rfc7306"}}},
      {"RDMAPX-5.2.1-18", must, any, kSection5_2_1, stimulus, octets,
       "A valid Atomic Request is answered by a valid Atomic Response.", {}, {{extensions_refused, "rfc7306"}}},
      {"RDMAPX-5.2.2-1", must, any, kSection5_2_2, trace, absence,
       "An Atomic Response answers an Atomic Request that went the other way."},
      {"RDMAPX-5.2.2-2", must, any, kSection5_2_2, trace, absence,
       "Original Request Identifier is the Request Identifier of the request that is answered.", {},
       {{atomic_identifier_wrong, "rfc7306"}}},
      {"RDMAPX-5.2.2-4", must, any, kSection5_2_2, none, absence,
       "An Atomic Response is untagged.", "RDMAPX-4.1-8 judges the same bit"},
      {"RDMAPX-5.2.2-5", must, any, kSection5_2_2, none, absence,
       "An Atomic Response is on queue 3.", "RDMAPX-4.1-12 judges the same field"},
      {"RDMAPX-5.2.2-6", must, any, kSection5_2_2, api, absence,
       "The responder has buffers on queue 1 for all Atomic Requests that were negotiated, besides those for Reads.",
       "How many were negotiated is known to the ULPs, as consumers of verbs", {{ird_off_by_one, "verbs"}}},
      {"RDMAPX-5.2.2-7", must, any, kSection5_2_2, api, absence,
       "The requester has buffers on queue 3 for all Atomic Requests that were negotiated.",
       "How many were negotiated is known to the ULPs, as consumers of verbs", {{atomic_responses_short, "verbs"}}},
      {"RDMAPX-5.2.2-8", must, any, kSection5_2_2, api, absence,
       "An Atomic Response is delivered to the ULP.", "The requester's completion shows it",
       {{atomic_result_lost, "verbs pair"}}},
      {"RDMAPX-5.2.2-9", must, any, kSection5_2_2, stimulus, octets,
       "An invalid Atomic Response is surfaced as an error at the requester.", {},
       {{accepts_unasked_response, "rfc7306"}, {accepts_atomic_identifier, "extended"}}},
      {"RDMAPX-5.2.2-10", must, any, kSection5_2_2, trace, absence,
       "Atomic Responses come in the order of their requests."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::AtomicMessagesRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::AtomicMessagesRules, I> {
};
