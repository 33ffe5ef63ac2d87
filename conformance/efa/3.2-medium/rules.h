// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct MediumRules : Words {
  static constexpr std::string_view k3_2Table3_4 = "EFA RDM v4 3.2, table 3.4";
  static constexpr std::string_view k3_2SegLength = "EFA RDM v4 3.2, seg_length";
  static constexpr std::string_view k3_2SegOffset = "EFA RDM v4 3.2, seg_offset";
  static constexpr std::string_view k3_2MediumMessage = "EFA RDM v4 3.2, Medium message";
  static constexpr std::string_view k3_1_3_2MediumMessage = "EFA RDM v4 3.1; 3.2, Medium message";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.2-40", must, requester, k3_2Table3_4, trace, octets,
       "The length in a medium packet is that of its data, or in every packet that of the message.", "EFA/A-03",
       {medium_length_changes, {medium_length_changes, responder}}},
      {"EFA-3.2-41", must, requester, k3_2SegLength, trace, absence,
       "A sender means the same by the length in all its medium messages.",
       "EFA/A-03: the first packet that can be read in one way only settles it"},
      {"EFA-3.2-42", must_not, requester, k3_2SegOffset, trace, octets,
       "No segment of a medium message reaches beyond its end.", "EFA/A-03: where the length is that of the message",
       {{connid_unannounced, responder}, connid_padded, {connid_padded, responder}, medium_beyond_length,
        {medium_beyond_length, responder}}},
      {"EFA-3.2-43", must_not, requester, k3_2SegOffset, trace, absence,
       "No octet of a medium message is sent in two of its segments.", "EFA/A-76",
       {{connid_unannounced, responder}, connid_padded, {connid_padded, responder}, medium_offset_zero,
        {medium_offset_zero, responder}, {medium_segment_twice, warning}, {medium_segment_twice, responder, warning}}},
      {"EFA-3.2-44", must, requester, k3_2MediumMessage, trace, absence,
       "All segments of a medium message are of one packet type."},
      {"EFA-3.2-45", must, requester, k3_2Table3_4, trace, absence,
       "All segments of a tagged medium message have the same tag."},
      {"EFA-3.2-46", should, requester, k3_1_3_2MediumMessage, trace, absence,
       "All segments of a medium message have the same CQ data, or none.", "EFA/A-45b"},
      {"EFA-3.2-47", should, requester, k3_2MediumMessage, trace, octets,
       "A segment carries data, unless the message has none.", "No text forbids an empty one: warned."},
      {"EFA-3.2-49", must, requester, k3_2MediumMessage, api, octets,
       "Where only some segments of a medium message could be sent, the others are sent later.",
       "The device reports to its user that its queue is full; of what follows a trace shows only whether all came "
       "(EFA-3.2-48)"},
      {"EFA-3.2-221", must, responder, k3_2Table3_4, stimulus, octets,
       "A medium message is delivered whole, each segment at its seg_offset.", "EFA/A-03", {handshake_needed}},
      {"EFA-3.2-222", must, responder, k3_2Table3_4, stimulus, octets,
       "The segments of a medium message may arrive in any order.", {},
       {handshake_needed, part_delivered, reorder_not_tolerated}},
      {"EFA-3.2-223", must, responder, k3_2Table3_4, stimulus, octets,
       "A segment that comes again neither completes nor spoils the message.", {}, {{counts_doubled, warning}}},
      {"EFA-3.2-224", must, responder, k3_2Table3_4, stimulus, octets,
       "A medium message of which a segment is missing is not delivered.", {}, {part_delivered}},
      {"EFA-3.2-225", must, responder, k3_2Table3_4, stimulus, octets,
       "Segments that overlap, lie beyond their message or have another length than the one before do no harm.",
       "E-17", {dies_of_duplicate, dies_of_contradiction, dies_of_truncation}},
      {"EFA-3.2-226", must, responder, k3_2Table3_4, stimulus, octets,
       "Segments of several medium messages may arrive between one another.", {}, {interleaving_not_tolerated}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::MediumRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::MediumRules, I> {
};
