// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct ReadRequestHeaderRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 4.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-4.4-1", must, any, kSection, trace, octets,
       "The whole RDMA Read Request Header immediately follows the DDP header.",
       "RDMAP/A-39: nothing forbids a request in several segments, though its 46 octets fit into any; a breach is a "
       "warning"},
      {"RDMAP-4.4-2", must, any, kSection, none, octets,
       "Every RDMA Read Request has the header of figure 6.",
       "RDMAP-4.2-1 judges its length; the answers show its fields"},
      {"RDMAP-4.4-3", must, any, kSection, trace, absence,
       "A responder copies the Data Sink STag of a request, uninterpreted, into the response.",
       "RDMAP/A-25: a warning if the response has no payload",
       {response_stag_wrong, {zero_length_stag_cleared, warning}}},
      {"RDMAP-4.4-4", must, any, kSection, trace, absence,
       "A responder copies the Data Sink Tagged Offset of a request into the response.", "RDMAP/A-25",
       {response_to_wrong}},
      {"RDMAP-4.4-5", must, any, kSection, trace, absence,
       "A responder sends as many octets of payload as the RDMA Read Message Size of the request.", "RDMAP/A-49",
       {response_short, response_long}},
      {"RDMAP-4.4-6", must, any, kSection, stimulus, octets,
       "A responder reads the octets of its buffer that begin at the Data Source Tagged Offset.", {},
       {{response_data_wrong, "pair"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::ReadRequestHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::ReadRequestHeaderRules, I> {
};
