// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 5.4: when Atomic Operations start and complete. The octets of one connection alone do not
// show it. The cases for the atomicity of 5.3 are in shared_stag_cases.cc.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct CompletionRules : Words {
  static constexpr std::string_view kSection = "RFC 7306 5.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAPX-5.4-1", must_not, any, kSection, api, octets,
       "A requester does not treat the buffer as changed before the response has been delivered.",
       "The requester's completion shows it", {{reads_complete_early, "verbs"}}},
      {"RDMAPX-5.4-2", must, any, kSection, none, octets,
       "An RNIC guarantees atomicity among its own operations only.",
       "The scope of RDMAPX-5.3-1; a case has only one RNIC to test"},
      {"RDMAPX-5.4-3", must_not, any, kSection, stimulus, octets,
       "A responder does not process an Atomic Request before it is delivered.",
       "A request with an invalid CRC is never answered", {{crc_not_checked, "rfc7306"}}},
      {"RDMAPX-5.4-4", may, any, kSection, api, octets,
       "A responder may generate a response after later Writes and Sends have been placed or delivered.",
       "The responder's completions show it"},
      {"RDMAPX-5.4-5", must, any, kSection, stimulus, octets,
       "A responder processes a response only after its request, and all that came before it, has been delivered.",
       "The returned value shows an earlier Write to the word", {{atomic_value_wrong, "rfc7306"}}},
      {"RDMAPX-5.4-6", may, any, kSection, api, octets,
       "A Send may complete before an earlier Atomic Request.", "The responder's completion queue shows it"},
      {"RDMAPX-5.4-7", must_not, any, kSection, api, octets,
       "An Atomic Operation does not complete before its response has been delivered.",
       "The requester's completion shows it", {{reads_complete_early, "verbs"}}},
      {"RDMAPX-5.4-8", must, any, kSection, none, octets,
       "A responder processes Atomic Requests, and submits their responses, in the order of their delivery.",
       "RDMAPX-5.2.1-17 and RDMAPX-5.2.2-10 judge it"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::CompletionRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::CompletionRules, I> {
};
