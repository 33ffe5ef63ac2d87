// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 5.4: when Atomic Operations start and complete. Nothing of it shows in the octets of one connection
// alone. The atomicity of 5.3 is in shared_stag_cases.cc.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct CompletionRules : Words {
  static constexpr std::string_view kSection = "RFC 7306 5.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAPX-5.4-1", must_not, any, kSection, api, octets,
       "The requester does not take the buffer for changed before the response has been delivered.",
       "The requester's completion shows it", {{reads_complete_early, "verbs"}}},
      {"RDMAPX-5.4-2", must, any, kSection, none, octets,
       "Atomicity holds within one RNIC.", "RDMAPX-5.3-1 with its scope; a case has one RNIC before it"},
      {"RDMAPX-5.4-3", must_not, any, kSection, stimulus, octets,
       "An Atomic Request is not processed before it is delivered.", "One with a bad CRC is never answered",
       {{crc_not_checked, "rfc7306"}}},
      {"RDMAPX-5.4-4", may, any, kSection, api, octets,
       "A response may be generated after later Writes and Sends have been placed or delivered.",
       "The responder's completions show it"},
      {"RDMAPX-5.4-5", must, any, kSection, stimulus, octets,
       "A response is processed after its request, and all that came before it, has been delivered.",
       "A Write to the word before the operation shows in the returned value", {{atomic_value_wrong, "rfc7306"}}},
      {"RDMAPX-5.4-6", may, any, kSection, api, octets,
       "A Send may complete before an Atomic Request that came earlier.", "The responder's completion queue shows it"},
      {"RDMAPX-5.4-7", must_not, any, kSection, api, octets,
       "An Atomic Operation does not complete before its response has been delivered.",
       "The requester's completion shows it", {{reads_complete_early, "verbs"}}},
      {"RDMAPX-5.4-8", must, any, kSection, none, octets,
       "Atomic Requests are processed, and their responses submitted, in the order of their delivery.",
       "RDMAPX-5.2.1-17 and RDMAPX-5.2.2-10 judge it"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::CompletionRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::CompletionRules, I> {
};
