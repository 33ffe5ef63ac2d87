// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct BufferingRules : Words {
  static constexpr std::string_view kS7_4 = "RFC 3018 7.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-7.4-1", must, any, kS7_4, stimulus, octets,
       "An instruction outside of chains goes to the VM at once.", {}, {{outside_held_back, executor}}},
      {"UMSP-7.4-2", must, any, kS7_4, api, octets,
       "The interface of UMSP and VM sends instructions asynchronously.",
       "what is above or below the protocol layer is not on the wire"},
      {"UMSP-7.4-3", should, any, kS7_4, none, octets,
       "A system executes instructions as fast as they come from the network.", "speed is not judged"},
      {"UMSP-7.4-4", must, executor, kS7_4, stimulus, octets,
       "A control transfer is handled in two stages: it is checked and scheduled, and then executed.", {},
       {{thread_blocks, executor}}},
      {"UMSP-7.4-5", must, any, kS7_4, none, octets,
       "The protocol layer gets processor time enough to work steadily.", "speed is not judged"},
      {"UMSP-7.4-6", must, any, kS7_4, none, octets,
       "The size of the session window is agreed when the session opens.", "SESSION_OPEN has the field: UMSP-5.3.1-9"},
      {"UMSP-7.4-7", must, any, kS7_4, none, octets,
       "The session window is longer than the transport's longest segment.",
       "how long the transport's segments may be is not in the instructions"},
      {"UMSP-7.4-8", must, any, kS7_4, stimulus, octets,
       "A sender uses the session window without asking the receiver first.", {}, {{fitting_needs_grant, executor}}},
      {"UMSP-7.4-9", must_not, any, kS7_4, none, octets,
       "The session window is one for the session and does not change.",
       "UMSP-5.3.1-19; there is no other field of it"},
      {"UMSP-7.4-10", must, any, kS7_4, trace, absence,
       "A sender never sends more into the session window than is free of it.",
       "judged of chains that are open at a time; when the receiver's VM has executed the others is not seen. A warning: "
       "a chain in one segment takes no room, and segments are not known (UMSP/B24)"},
      {"UMSP-7.4-11", must, any, kS7_4, stimulus, octets,
       "A receiver of data that do not fit the session window breaks off the connection.", {},
       {{window_not_enforced, executor}}},
      {"UMSP-7.4-12", must, any, kS7_4, trace, absence,
       "A transaction or fragmented instruction longer than the session window is sent only after a REQ_BUF was "
       "granted.", "A warning: REQ_BUF may go over another connection"},
      {"UMSP-7.4-13", must, any, kS7_4, none, octets,
       "A chain sent by REQ_BUF has no more than 4294967295 octets.", "the field has 32 bits"},
      {"UMSP-7.4-14", must, any, kS7_4, trace, octets,
       "REQ_BUF has ASK 1."},
      {"UMSP-7.4-15", must, any, kS7_4, trace, octets,
       "REQ_BUF has PCK 01 or 11."},
      {"UMSP-7.4-16", must, any, kS7_4, trace, octets,
       "REQ_BUF has CHN 0."},
      {"UMSP-7.4-17", must, any, kS7_4, stimulus, octets,
       "A receiver takes REQ_BUF with and without extension headers.", {}, {{req_buf_with_header_ignored, executor}}},
      {"UMSP-7.4-18", must, any, kS7_4, trace, octets,
       "REQ_BUF has 1 word of operands."},
      {"UMSP-7.4-19", must, any, kS7_4, none, octets,
       "The operand of REQ_BUF is the number of octets wanted.", "any word is a number"},
      {"UMSP-7.4-20", must, any, kS7_4, trace, absence,
       "That number is the length of all instructions of the chain, subordinated chains included.",
       "UMSP/B22; a warning: instructions of the chain may go over another connection"},
      {"UMSP-7.4-21", must, any, kS7_4, api, octets,
       "REQ_BUF is formed by the protocol layer.", "what is above or below the protocol layer is not on the wire"},
      {"UMSP-7.4-22", must, any, kS7_4, none, octets,
       "REQ_BUF is answered by RSP_P.", "an RSP instead breaks UMSP-4.1-2; for no answer the document sets no time"},
      {"UMSP-7.4-23", must, any, kS7_4, api, octets,
       "The buffer for REQ_BUF is allocated by the VM.",
       "what is above or below the protocol layer is not on the wire"},
      {"UMSP-7.4-24", must, any, kS7_4, api, octets,
       "The interface of UMSP and VM asks for that buffer asynchronously.",
       "what is above or below the protocol layer is not on the wire"},
      {"UMSP-7.4-25", must, any, kS7_4, stimulus, octets,
       "REQ_BUF is taken for chains that fit the session window, too.", {}, {{short_buffer_refused, executor}}},
      {"UMSP-7.4-26", must_not, any, kS7_4, none, octets,
       "After a negative answer to REQ_BUF its chain is not sent without another grant or the window.",
       "such a chain was not granted: UMSP-7.4-12 and -31"},
      {"UMSP-7.4-27", must, any, kS7_4, stimulus, octets,
       "A subordinated chain is put in the buffer of its parental chain.", {},
       {{own_buffer_for_subordinated, executor}}},
      {"UMSP-7.4-28", must, any, kS7_4, stimulus, octets,
       "A sequence is taken without a REQ_BUF.", {}, {{sequence_needs_grant, executor}}},
      {"UMSP-7.4-29", must, any, kS7_4, stimulus, octets,
       "On a single TCP connection a sequence takes no buffer.", {}, {{sequence_buffered, executor}}},
      {"UMSP-7.4-30", must, any, kS7_4, stimulus, octets,
       "Instructions of a sequence that overtake others on several TCP connections are put in order in the session "
       "window.", {}, {{overtaking_dropped, executor}}},
      {"UMSP-7.4-31", must, any, kS7_4, trace, absence,
       "A transaction with TRR 0 is sent only after a REQ_BUF was granted, however short it is.",
       "UMSP/B22, UMSP/B31: a warning where REQ_BUF may go over another connection"},
      {"UMSP-7.4-32", must, any, kS7_4, stimulus, octets,
       "A transaction with TRR 1 in one segment takes no buffer.", {}, {{one_segment_buffered, executor}}},
      {"UMSP-7.4-33", must, any, kS7_4, stimulus, octets,
       "A chain with TRR 1, or fragments, that fit the session window are taken without REQ_BUF.", {},
       {{fitting_needs_grant, executor}}},
      {"UMSP-7.4-34", must, any, kS7_4, none, octets,
       "Room in the window is reserved for the whole chain before its sending begins.",
       "what is free depends on the receiver's VM"},
      {"UMSP-7.4-35", must_not, any, kS7_4, none, octets,
       "The sending of a chain does not begin while the window has not enough room.",
       "what is free depends on the receiver's VM"},
      {"UMSP-7.4-36", must, any, kS7_4, stimulus, octets,
       "A sender without room waits, or asks by REQ_BUF.", {},
       {{sends_without_room, initiator}, {room_free_when_sent, initiator}}},
      {"UMSP-7.4-37", must, any, kS7_4, none, octets,
       "A chain longer than the session window uses REQ_BUF.", "UMSP-7.4-12"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::BufferingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::BufferingRules, I> {
};
