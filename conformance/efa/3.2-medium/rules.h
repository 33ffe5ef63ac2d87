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
       "A requester sets seg_length of a medium packet to the length of the packet's data or, in every packet, to the "
       "length of the message.", "EFA/A-03", {medium_length_changes, {medium_length_changes, responder}}},
      {"EFA-3.2-41", must, requester, k3_2SegLength, trace, absence,
       "A requester uses the same meaning of seg_length in all its medium messages.",
       "EFA/A-03: the first packet that fits only one meaning decides"},
      {"EFA-3.2-42", must_not, requester, k3_2SegOffset, trace, octets,
       "A requester sends no segment that extends beyond the end of its medium message.",
       "EFA/A-03: judged if seg_length is the length of the message",
       {{connid_unannounced, responder}, connid_padded, {connid_padded, responder}, medium_beyond_length,
        {medium_beyond_length, responder}}},
      {"EFA-3.2-43", must_not, requester, k3_2SegOffset, trace, absence,
       "A requester does not send any octet of a medium message in two segments.", "EFA/A-76",
       {{connid_unannounced, responder}, connid_padded, {connid_padded, responder}, medium_offset_zero,
        {medium_offset_zero, responder}, {medium_segment_twice, warning}, {medium_segment_twice, responder, warning}}},
      {"EFA-3.2-44", must, requester, k3_2MediumMessage, trace, absence,
       "A requester uses one packet type for all segments of a medium message."},
      {"EFA-3.2-45", must, requester, k3_2Table3_4, trace, absence,
       "A requester uses the same tag in all segments of a tagged medium message."},
      {"EFA-3.2-46", should, requester, k3_1_3_2MediumMessage, trace, absence,
       "A requester puts the same CQ data in all segments of a medium message, or in none.", "EFA/A-45b"},
      {"EFA-3.2-47", should, requester, k3_2MediumMessage, trace, octets,
       "A requester sends data in every segment, unless the message is empty.",
       "No text forbids an empty one, so it is a warning."},
      {"EFA-3.2-49", must, requester, k3_2MediumMessage, api, octets,
       "A requester that could send only some segments of a medium message sends the others later.",
       "The device reports that its queue is full. A trace shows only whether all segments came in the end "
       "(EFA-3.2-48)"},
      {"EFA-3.2-221", must, responder, k3_2Table3_4, stimulus, octets,
       "A responder delivers a medium message whole, with each segment at its seg_offset.", "EFA/A-03",
       {handshake_needed}},
      {"EFA-3.2-222", must, responder, k3_2Table3_4, stimulus, octets,
       "A responder accepts the segments of a medium message in any order.", {},
       {handshake_needed, part_delivered, reorder_not_tolerated}},
      {"EFA-3.2-223", must, responder, k3_2Table3_4, stimulus, octets,
       "A responder neither completes nor corrupts a message because of a repeated segment.", {},
       {{counts_doubled, warning}}},
      {"EFA-3.2-224", must, responder, k3_2Table3_4, stimulus, octets,
       "A responder does not deliver a medium message that lacks a segment.", {}, {part_delivered}},
      {"EFA-3.2-225", must, responder, k3_2Table3_4, stimulus, octets,
       "A responder keeps working after segments that overlap, lie beyond the message, or have another length than "
       "the previous segment.", "E-17", {dies_of_duplicate, dies_of_contradiction, dies_of_truncation}},
      {"EFA-3.2-226", must, responder, k3_2Table3_4, stimulus, octets,
       "A responder accepts interleaved segments of several medium messages.", {}, {interleaving_not_tolerated}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::MediumRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::MediumRules, I> {
};
