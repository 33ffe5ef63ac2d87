// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct IncomingErrorsRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 7.2";
  static constexpr std::string_view kFigure9 = "RFC 5040 7.2, figure 9";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-7.2-1", must, any, kSection, none, octets,
       "DDP validates all fields of a segment.", "Judged by DDP-7.1 and DDP-6.2.2-3"},
      {"RDMAP-7.2-2", must, any, kSection, stimulus, octets,
       "A receiver checks that the opcode of a message is valid, and right for its queue and buffer model.",
       "RDMAP/A-09, RDMAP/A-10, RDMAP/A-21, RDMAP/A-77",
       {accepts_opcode, {accepts_later_opcode, warning}, accepts_wrong_queue}},
      {"RDMAP-7.2-3", must, any, kSection, stimulus, octets,
       "A receiver checks that the RDMAP version of a message is valid.", "RDMAP/A-11, RDMAP/A-21, RDMAP/A-77",
       {accepts_rdmap_version}},
      {"RDMAP-7.2-4", must, any, kSection, none, octets,
       "A receiver checks that the Invalidate STag of a Send with Invalidate is valid.", "Judged by RDMAP-5.3-12"},
      {"RDMAP-7.2-5", must, any, kSection, none, octets,
       "A receiver checks that the Invalidate STag of a Send with Invalidate belongs to the stream.",
       "Judged by RDMAP-5.3-12"},
      {"RDMAP-7.2-6", must, any, kSection, none, octets,
       "DDP validates all fields of a Read Request's segment.", "RDMAP/A-45; judged by DDP-7.1 and DDP-6.2.2-3"},
      {"RDMAP-7.2-7", must, any, kSection, stimulus, octets,
       "A receiver checks that the RDMAP version of a Read Request is valid.",
       "RDMAP/A-07, RDMAP/A-11, RDMAP/A-45, RDMAP/A-77",
       {accepts_rdmap_version}},
      {"RDMAP-7.2-8", must, any, kSection, stimulus, octets,
       "A receiver checks that the Data Source STag of a Read Request is valid.", "RDMAP/A-45", {accepts_stag}},
      {"RDMAP-7.2-9", must, any, kSection, stimulus, octets,
       "A receiver checks that the Data Source STag of a Read Request belongs to the stream.", "RDMAP/A-67",
       {{accepts_foreign_stag, initiator, warning}}},
      {"RDMAP-7.2-10", must, any, kSection, stimulus, octets,
       "A receiver checks that the Data Source Tagged Offset of a Read Request is inside the STag's buffer.", {},
       {accepts_bounds}},
      {"RDMAP-7.2-11", must, any, kSection, stimulus, octets,
       "A receiver checks that Data Source Tagged Offset plus size of a Read Request is inside the buffer.", {},
       {{accepts_bounds, "pair"}}},
      {"RDMAP-7.2-12", must, any, kSection, stimulus, octets,
       "A receiver checks that Data Source Tagged Offset plus size of a Read Request does not wrap.", "RDMAP/A-22",
       {accepts_wrap}},
      {"RDMAP-7.2-13", must, any, kFigure9, stimulus, octets,
       "A receiver reports 0/1/02 if the buffer of the Data Source STag does not permit remote reads.",
       "The right is checked with the STag; 7.2 does not list it, but figure 9 has its code",
       {{accepts_access, responder}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::IncomingErrorsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::IncomingErrorsRules, I> {
};
