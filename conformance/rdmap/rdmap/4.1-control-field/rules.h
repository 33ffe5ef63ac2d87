// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct ControlFieldRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 4.1";
  static constexpr std::string_view kFigure4 = "RFC 5040 4.1, figure 4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-4.1-1", must, any, kSection, none, octets,
       "The first octet of RsvdULP is the RDMAP control field.",
       "Another octet in its place breaks the rules of its version and opcode"},
      {"RDMAP-4.1-2", must, any, kSection, none, octets,
       "The bits of the control field have the layout of figure 3.",
       "Another layout breaks the rules of its version and opcode"},
      {"RDMAP-4.1-3", must, any, kSection, api, octets,
       "A Send with Invalidate carries the STag to invalidate in the octets of RsvdULP after the first.",
       "Only the verbs show which STag was meant", {{invalidate_stag_lost, "verbs pair"}}},
      {"RDMAP-4.1-4", must, any, kSection, trace, octets,
       "A sender sets RV to 01b on a stream that MPA started with revision 1 or higher.",
       "RDMAP/A-11: 00b belongs to the RDMA Consortium's protocol, under MPA revision 0",
       {rdmap_version_zero, rdmap_version_two}},
      {"RDMAP-4.1-5", must, any, kSection, trace, octets,
       "A sender sets the two reserved bits of the control field to zero.", {}, {rdmap_reserved_set}},
      {"RDMAP-4.1-6", must, any, kSection, stimulus, octets,
       "A receiver ignores the reserved bits of the control field.", {}, {reserved_checked}},
      {"RDMAP-4.1-7", must, any, kFigure4, trace, octets,
       "A sender uses only assigned opcodes.",
       "RDMAP/A-10: 8 to 11 belong to RFC 7306 (the feature rfc7306), 15 to experiments: a breach by them is a warning",
       {{opcode_extension_unasked, warning}, opcode_reserved}},
      // The columns of figure 4, by opcode.
      {"RDMAP-4.1-10", must, any, kFigure4, trace, octets,
       "An RDMA Write is tagged.", {}, {{write_untagged, "verbs"}, {write_untagged, initiator}}},
      {"RDMAP-4.1-11", must, any, kFigure4, trace, octets,
       "An RDMA Read Request is untagged."},
      {"RDMAP-4.1-12", must, any, kFigure4, trace, octets,
       "An RDMA Read Response is tagged."},
      {"RDMAP-4.1-13", must, any, kFigure4, trace, octets,
       "A Send is untagged."},
      {"RDMAP-4.1-14", must, any, kFigure4, trace, octets,
       "A Send with Invalidate is untagged."},
      {"RDMAP-4.1-15", must, any, kFigure4, trace, octets,
       "A Send with Solicited Event is untagged."},
      {"RDMAP-4.1-16", must, any, kFigure4, trace, octets,
       "A Send with Solicited Event and Invalidate is untagged."},
      {"RDMAP-4.1-17", must, any, kFigure4, trace, octets,
       "A Terminate is untagged."},
      {"RDMAP-4.1-20", must, any, kSection, none, octets,
       "An RDMA Write and an RDMA Read Response have an STag and a TO.",
       "Figure 4: the tagged header has room for nothing else; judged by DDP-4.2-1"},
      {"RDMAP-4.1-21", must, any, kFigure4, trace, octets,
       "An RDMA Read Request is on queue 1.", {},
       {{read_request_on_send_queue, "verbs"}, {read_request_on_send_queue, initiator}}},
      {"RDMAP-4.1-23", must, any, kFigure4, trace, octets,
       "A Send is on queue 0.", {}, {queue_number_three, send_on_read_queue}},
      {"RDMAP-4.1-24", must, any, kFigure4, trace, octets,
       "A Send with Invalidate is on queue 0."},
      {"RDMAP-4.1-25", must, any, kFigure4, trace, octets,
       "A Send with Solicited Event is on queue 0."},
      {"RDMAP-4.1-26", must, any, kFigure4, trace, octets,
       "A Send with Solicited Event and Invalidate is on queue 0."},
      {"RDMAP-4.1-27", must, any, kFigure4, trace, octets,
       "A Terminate is on queue 2.", {}, {terminate_on_send_queue}},
      {"RDMAP-4.1-31", must, any, kSection, trace, octets,
       "The Invalidate STag field of an RDMA Read Request is zero."},
      {"RDMAP-4.1-32", must, any, kSection, stimulus, octets,
       "A receiver ignores the Invalidate STag field of an RDMA Read Request.", {}, {bare_invalidate_stag_checked}},
      {"RDMAP-4.1-33", must, any, kSection, trace, octets,
       "The Invalidate STag field of a Send is zero.", {}, {invalidate_stag_not_zero}},
      {"RDMAP-4.1-34", must, any, kSection, stimulus, octets,
       "A receiver ignores the Invalidate STag field of a Send.", {}, {bare_invalidate_stag_checked}},
      {"RDMAP-4.1-35", must, any, kSection, trace, octets,
       "The Invalidate STag field of a Send with Solicited Event is zero."},
      {"RDMAP-4.1-36", must, any, kSection, stimulus, octets,
       "A receiver ignores the Invalidate STag field of a Send with Solicited Event.", {},
       {{bare_invalidate_stag_checked, responder}}},
      {"RDMAP-4.1-37", must, any, kSection, trace, octets,
       "The Invalidate STag field of a Terminate is zero."},
      {"RDMAP-4.1-38", must, any, kSection, api, octets,
       "A receiver ignores the Invalidate STag field of a Terminate.",
       "The receiver of a Terminate answers nothing: only its ULP knows what it did",
       {{terminate_with_stag_ignored, "verbs"}}},
      {"RDMAP-4.1-40", must, any, kFigure4, api, octets,
       "RDMAP and DDP report the length of every message to each other.",
       "Between two layers of one implementation; byte_len of a receive shows the result",
       {{receive_length_wrong, "verbs pair"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::ControlFieldRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::ControlFieldRules, I> {
};
