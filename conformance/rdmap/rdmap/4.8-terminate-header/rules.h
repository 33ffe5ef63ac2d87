// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct TerminateHeaderRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 4.8";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-4.8-1", must, any, kSection, trace, octets,
       "A Terminate Message has a Terminate Header after its DDP header.", "RDMAP/A-04, RDMAP/A-39b"},
      {"RDMAP-4.8-2", must, any, kSection, trace, octets,
       "Terminate Control has the layout of figure 8: Layer in the high half of its first octet, HdrCt in the high "
       "bits.", "RDMAP/A-42, RDMAP/A-60"},
      {"RDMAP-4.8-7", must, any, kSection, trace, octets,
       "The 13 bits after HdrCt are zero.", "RDMAP/A-42", {terminate_reserved_set}},
      {"RDMAP-4.8-8", must, any, kSection, stimulus, octets,
       "A receiver ignores the reserved bits of a Terminate.",
       "RDMAP/A-43: a receiver would answer an invalid one with a Terminate", {{terminate_answered, warning}}},
      {"RDMAP-4.8-9", must, any, kSection, trace, octets,
       "If the M or the D bit is set, DDP Segment Length is present.", "RDMAP/A-03, RDMAP/A-04"},
      {"RDMAP-4.8-10", must, any, kSection, trace, absence,
       "If the M bit is set, DDP Segment Length is the length of the terminated segment.", "RDMAP/A-06",
       {terminate_length_wrong, {terminate_length_of_payload, warning}}},
      {"RDMAP-4.8-11", must, any, kSection, trace, octets,
       "If the D bit is set, the whole terminated DDP header is present.", "RDMAP/A-04", {terminate_cut}},
      {"RDMAP-4.8-12", must, any, kSection, trace, absence,
       "The terminated DDP header is that of a segment that the sender of the Terminate has received.", "RDMAP/A-74",
       {terminate_header_altered}},
      {"RDMAP-4.8-13", must_not, any, kSection, trace, octets,
       "A Terminate for a Local Catastrophic Error carries no terminated DDP header."},
      {"RDMAP-4.8-14", must, any, kSection, trace, octets,
       "A Terminate carries a terminated RDMA header only if it concerns an RDMA Read Request.",
       "RDMAP/A-05, RDMAP/A-36: section 7.1, case 2, has the MUST for other messages that DDP has delivered. A "
       "warning for a Send with Invalidate, whose row in figure 10 differs, and for errors of DDP and of MPA.",
       {terminate_r_set}},
      {"RDMAP-4.8-15", must, any, kSection, trace, octets,
       "If the R bit is set, the whole terminated RDMA header is present.", "RDMAP/A-04, RDMAP/A-05"},
      {"RDMAP-4.8-16", must, any, kSection, trace, absence,
       "A terminated Read Request is unchanged if no data has been sent for it; otherwise it is advanced by that "
       "data.", "RDMAP/A-50"},
      {"RDMAP-4.8-17", must, any, kSection, trace, octets,
       "A terminated Read Request keeps the Data Sink STag of the request."},
      {"RDMAP-4.8-18", must, any, kSection, trace, octets,
       "In a terminated Read Request, Data Sink Tagged Offset is that of the request plus the octets sent."},
      {"RDMAP-4.8-19", must, any, kSection, trace, octets,
       "In a terminated Read Request, the size is the number of octets left to transfer.", "RDMAP/A-49b"},
      {"RDMAP-4.8-20", must, any, kSection, trace, octets,
       "A terminated Read Request keeps the Data Source STag of the request."},
      {"RDMAP-4.8-21", must, any, kSection, trace, octets,
       "In a terminated Read Request, Data Source Tagged Offset is that of the request plus the octets sent."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::TerminateHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::TerminateHeaderRules, I> {
};
