// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct BufferingRules : Words {
  static constexpr std::string_view kS7_4 = "RFC 3018 7.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-7.4-1", must, any, kS7_4, stimulus, octets,
       "The protocol layer passes an instruction outside chains to the VM at once.", {},
       {{outside_held_back, executor}}},
      {"UMSP-7.4-2", must, any, kS7_4, api, octets,
       "The interface between UMSP and VM passes instructions asynchronously.",
       "What is above or below the protocol layer is not on the wire"},
      {"UMSP-7.4-3", should, any, kS7_4, none, octets,
       "A system executes instructions as fast as they arrive from the network.", "Speed is not judged"},
      {"UMSP-7.4-4", must, executor, kS7_4, stimulus, octets,
       "A node handles a control transfer in two stages: it checks and schedules it, and then executes it.", {},
       {{thread_blocks, executor}}},
      {"UMSP-7.4-5", must, any, kS7_4, none, octets,
       "The protocol layer gets enough processor time to work steadily.", "Speed is not judged"},
      {"UMSP-7.4-6", must, any, kS7_4, none, octets,
       "The sides agree on the size of the session window when they open the session.",
       "SESSION_OPEN has the field: UMSP-5.3.1-9"},
      {"UMSP-7.4-7", must, any, kS7_4, none, octets,
       "The session window is longer than the longest segment of the transport.",
       "The instructions do not show how long the segments of the transport may be"},
      {"UMSP-7.4-8", must, any, kS7_4, stimulus, octets,
       "A sender uses the session window without a previous request to the receiver.", {},
       {{fitting_needs_grant, executor}}},
      {"UMSP-7.4-9", must_not, any, kS7_4, none, octets,
       "The size of the session window is set once for the session and does not change.",
       "UMSP-5.3.1-19; no other field contains it"},
      {"UMSP-7.4-10", must, any, kS7_4, trace, absence,
       "A sender never puts more into the session window than its free room.",
       "Judged for chains that are open at the same time, as nobody sees when the receiver's VM has executed the "
       "others. A warning: a chain in one segment takes no room, and segments are not known (UMSP/B24)"},
      {"UMSP-7.4-11", must, any, kS7_4, stimulus, octets,
       "A receiver breaks off the connection if it gets data that does not fit the session window.", {},
       {{window_not_enforced, executor}}},
      {"UMSP-7.4-12", must, any, kS7_4, trace, absence,
       "A sender sends a transaction or fragmented instruction longer than the session window only after a REQ_BUF was "
       "granted.", "UMSP/B22, UMSP/B31: a warning if a REQ_BUF that was not seen, or of another chain, may allow it"},
      {"UMSP-7.4-13", must, any, kS7_4, none, octets,
       "A chain that is sent after REQ_BUF has at most 4294967295 octets.", "The field has 32 bits"},
      {"UMSP-7.4-14", must, any, kS7_4, trace, octets,
       "REQ_BUF has ASK 1."},
      {"UMSP-7.4-15", must, any, kS7_4, trace, octets,
       "REQ_BUF has PCK 01 or 11."},
      {"UMSP-7.4-16", must, any, kS7_4, trace, octets,
       "REQ_BUF has CHN 0."},
      {"UMSP-7.4-17", must, any, kS7_4, stimulus, octets,
       "A receiver accepts REQ_BUF with and without extension headers.", {}, {{req_buf_with_header_ignored, executor}}},
      {"UMSP-7.4-18", must, any, kS7_4, trace, octets,
       "REQ_BUF has 1 word of operands."},
      {"UMSP-7.4-19", must, any, kS7_4, none, octets,
       "The operand of REQ_BUF is the number of requested octets.", "Any word is a number"},
      {"UMSP-7.4-20", must, any, kS7_4, trace, absence,
       "The size in REQ_BUF is the length of all instructions of the chain, including subordinated chains.",
       "UMSP/B22, UMSP/B31: a warning if REQ_BUF may be for a later chain, or if a part used another connection"},
      {"UMSP-7.4-21", must, any, kS7_4, api, octets,
       "The protocol layer forms REQ_BUF.", "What is above or below the protocol layer is not on the wire"},
      {"UMSP-7.4-22", must, any, kS7_4, none, octets,
       "A node answers REQ_BUF with RSP_P.",
       "An RSP instead violates UMSP-4.1-2; the document sets no time for the answer"},
      {"UMSP-7.4-23", must, any, kS7_4, api, octets,
       "The VM allocates the buffer for REQ_BUF.", "What is above or below the protocol layer is not on the wire"},
      {"UMSP-7.4-24", must, any, kS7_4, api, octets,
       "The interface between UMSP and VM requests the buffer for REQ_BUF asynchronously.",
       "What is above or below the protocol layer is not on the wire"},
      {"UMSP-7.4-25", must, any, kS7_4, stimulus, octets,
       "A receiver also accepts REQ_BUF for chains that fit the session window.", {},
       {{short_buffer_refused, executor}}},
      {"UMSP-7.4-26", must_not, any, kS7_4, none, octets,
       "After a negative answer to REQ_BUF, the sender does not send the chain without another grant or the window.",
       "Such a chain was not granted: UMSP-7.4-12 and -31"},
      {"UMSP-7.4-27", must, any, kS7_4, stimulus, octets,
       "A receiver puts a subordinated chain into the buffer of its parental chain.", {},
       {{own_buffer_for_subordinated, executor}}},
      {"UMSP-7.4-28", must, any, kS7_4, stimulus, octets,
       "A receiver accepts a sequence without a REQ_BUF.", {}, {{sequence_needs_grant, executor}}},
      {"UMSP-7.4-29", must, any, kS7_4, stimulus, octets,
       "A sequence on a single TCP connection takes no buffer.", {}, {{sequence_buffered, executor}}},
      {"UMSP-7.4-30", must, any, kS7_4, stimulus, octets,
       "A receiver uses the session window to order instructions of a sequence that overtake each other on several TCP "
       "connections.", {}, {{overtaking_dropped, executor}}},
      {"UMSP-7.4-31", must, any, kS7_4, trace, absence,
       "A sender sends a transaction with TRR 0 only after a REQ_BUF was granted, however short it is.",
       "UMSP/B22, UMSP/B31: a warning if REQ_BUF may have used another connection"},
      {"UMSP-7.4-32", must, any, kS7_4, stimulus, octets,
       "A transaction with TRR 1 in one segment takes no buffer.", {}, {{one_segment_buffered, executor}}},
      {"UMSP-7.4-33", must, any, kS7_4, stimulus, octets,
       "A receiver accepts a chain with TRR 1, or fragments, without REQ_BUF if they fit the session window.", {},
       {{fitting_needs_grant, executor}}},
      {"UMSP-7.4-34", must, any, kS7_4, none, octets,
       "A sender reserves room in the window for the whole chain before it begins to send it.",
       "The free room depends on the receiver's VM"},
      {"UMSP-7.4-35", must_not, any, kS7_4, none, octets,
       "A sender does not begin to send a chain while the window has not enough room.",
       "The free room depends on the receiver's VM"},
      {"UMSP-7.4-36", must, any, kS7_4, stimulus, octets,
       "A sender without enough room in the window waits, or requests a buffer with REQ_BUF.", {},
       {{sends_without_room, initiator}, {room_free_when_sent, initiator}}},
      {"UMSP-7.4-37", must, any, kS7_4, none, octets,
       "A sender uses REQ_BUF for a chain longer than the session window.", "UMSP-7.4-12"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::BufferingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::BufferingRules, I> {
};
