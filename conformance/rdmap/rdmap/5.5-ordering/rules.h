// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.5: the twenty rules of ordering and completion; RDMAP-5.5-<n> is rule n (12 has two halves).
// The cases are in ordering_cases.cc.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct OrderingRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 5.5";
  static constexpr std::string_view kPermits = "It permits or describes, and demands nothing of an implementation";
  static constexpr std::string_view kVerbs = "The completions of the verbs show it";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-5.5-1", may, any, kSection, none, octets,
       "Messages on different streams are in no order.", kPermits},
      {"RDMAP-5.5-2", may, any, kSection, none, octets,
       "Operations from the two ends of a stream are in no order.", kPermits},
      {"RDMAP-5.5-3", may, any, kSection, none, octets,
       "Messages may be placed in any order.", kPermits},
      {"RDMAP-5.5-4", may, any, kSection, none, octets,
       "The buffer of a Send may hold anything until the Send is delivered.", kPermits},
      {"RDMAP-5.5-5", may, any, kSection, none, octets,
       "The buffer of an RDMA Write may hold anything until a later Send is delivered.", kPermits},
      {"RDMAP-5.5-6", may, any, kSection, none, octets,
       "The sink of an RDMA Read may hold anything until the response is delivered.", kPermits},
      {"RDMAP-5.5-7", may, any, kSection, none, octets,
       "A buffer that the ULP changes while an operation changes it may hold anything.", kPermits},
      {"RDMAP-5.5-8", may, any, kSection, none, octets,
       "What is read from a buffer that the ULP changes meanwhile may be anything.", kPermits},
      {"RDMAP-5.5-9", may, any, kSection, none, octets,
       "A completed Write or Send need not have reached the remote ULP.", kPermits},
      {"RDMAP-5.5-10", must, any, kSection, none, octets,
       "RDMAP delivers Sends to the ULP in the order in which DDP delivered them.", "Judged by DDP-5.3-4"},
      {"RDMAP-5.5-11", must, any, kSection, api, octets,
       "RDMAP delivers Read Responses to the requester's ULP in the order in which DDP delivered them.",
       "RDMAP/A-14; the completions of the verbs show it", {{read_completion_lost, "verbs pair"}}},
      {"RDMAP-5.5-12", must_not, any, kSection, stimulus, octets,
       "A responder does not process a Read Request before DDP has delivered it: it reads what was written before it.",
       "RDMAP/A-70b", {read_before_write}},
      {"RDMAP-5.5-13", must, any, kSection, api, octets,
       "RDMAP passes messages to DDP in the order in which the ULP submitted the operations.",
       "Only the user of the verbs knows it", {{work_reordered, "verbs pair"}}},
      {"RDMAP-5.5-14", must_not, any, kSection, api, octets,
       "RDMAP does not complete a Send or Write at its source before DDP has completed it.", kVerbs,
       {{completes_early, "verbs"}}},
      {"RDMAP-5.5-15", must, any, kSection, api, octets,
       "RDMAP completes operations at their source in the order of their submission.", kVerbs,
       {{completions_reordered, "verbs pair"}}},
      {"RDMAP-5.5-16", must, any, kSection, none, octets,
       "RDMAP delivers a Send to the ULP only after DDP has delivered it to RDMAP.", "Judged by DDP-5.4-1"},
      {"RDMAP-5.5-17", must, any, kSection, none, octets,
       "A responder reads the source only after DDP has delivered the request.",
       "RDMAP/A-70b; the same as rule 12: judged by RDMAP-5.5-12"},
      {"RDMAP-5.5-18", may, any, kSection, none, octets,
       "A Send may complete at the remote peer before an earlier Read is answered.", kPermits},
      {"RDMAP-5.5-19", must_not, any, kSection, api, octets,
       "RDMAP does not complete a Read before DDP has delivered its response.", kVerbs,
       {{reads_complete_early, "verbs pair"}}},
      {"RDMAP-5.5-20", must, any, kSection, none, octets,
       "A responder passes responses to DDP in the order in which the requests were delivered.",
       "RDMAP/A-13: judged by RDMAP-5.2.2-6"},
      {"RDMAP-5.5-21", must, any, kSection, api, octets,
       "Rule 12: a ULP holds a later write back if it must not overtake an earlier read.",
       "RDMAP/A-18, RDMAP/V-04: a duty of the ULP, for which verbs have IBV_SEND_FENCE",
       {{fence_ignored, "verbs pair"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::OrderingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::OrderingRules, I> {
};
