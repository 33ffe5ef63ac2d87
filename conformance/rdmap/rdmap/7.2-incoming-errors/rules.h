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
       "DDP validates all fields of a segment.", "judged by DDP-7.1 and DDP-6.2.2-3"},
      {"RDMAP-7.2-2", must, any, kSection, stimulus, octets,
       "The opcode of a message is valid, for its queue and buffer model too.", "RDMAP/A-09, RDMAP/A-10, RDMAP/A-21",
       {accepts_opcode, {accepts_later_opcode, warning}, accepts_wrong_queue}},
      {"RDMAP-7.2-3", must, any, kSection, stimulus, octets,
       "The RDMAP version of a message is valid.", "RDMAP/A-11, RDMAP/A-21", {accepts_rdmap_version}},
      {"RDMAP-7.2-4", must, any, kSection, none, octets,
       "The Invalidate STag of a Send with Invalidate is valid.", "judged by RDMAP-5.3-12"},
      {"RDMAP-7.2-5", must, any, kSection, none, octets,
       "The Invalidate STag of a Send with Invalidate belongs to the stream.", "judged by RDMAP-5.3-12"},
      {"RDMAP-7.2-6", must, any, kSection, none, octets,
       "DDP validates all fields of a segment of a Read Request.", "RDMAP/A-45; judged by DDP-7.1 and DDP-6.2.2-3"},
      {"RDMAP-7.2-7", must, any, kSection, stimulus, octets,
       "The RDMAP version of a Read Request is valid.", "RDMAP/A-07, RDMAP/A-11, RDMAP/A-45", {accepts_rdmap_version}},
      {"RDMAP-7.2-8", must, any, kSection, stimulus, octets,
       "The Data Source STag of a Read Request is valid.", "RDMAP/A-45", {accepts_stag}},
      {"RDMAP-7.2-9", must, any, kSection, stimulus, octets,
       "The Data Source STag of a Read Request belongs to the stream.", "RDMAP/A-67",
       {{accepts_foreign_stag, initiator, warning}}},
      {"RDMAP-7.2-10", must, any, kSection, stimulus, octets,
       "The Data Source Tagged Offset of a Read Request lies in the buffer of the STag.", {}, {accepts_bounds}},
      {"RDMAP-7.2-11", must, any, kSection, stimulus, octets,
       "Data Source Tagged Offset and size of a Read Request together lie in the buffer.", {},
       {{accepts_bounds, "pair"}}},
      {"RDMAP-7.2-12", must, any, kSection, stimulus, octets,
       "Data Source Tagged Offset and size of a Read Request together do not wrap.", "RDMAP/A-22", {accepts_wrap}},
      {"RDMAP-7.2-13", must, any, kFigure9, stimulus, octets,
       "The buffer of the Data Source STag of a Read Request may be read remotely: else 0/1/02.",
       "the right is checked with the STag; the text of 7.2 does not list it, figure 9 has its code",
       {{accepts_access, responder}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::IncomingErrorsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::IncomingErrorsRules, I> {
};
