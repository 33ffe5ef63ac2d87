// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct SessionClosingRules : Words {
  static constexpr std::string_view kS5_4 = "RFC 3018 5.4";
  static constexpr std::string_view kS5_4_1 = "RFC 3018 5.4.1";
  static constexpr std::string_view kS5_4_2 = "RFC 3018 5.4.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-5.4-1", must, any, kS5_4, trace, absence,
       "Only the side that opened a session closes it by SESSION_CLOSE."},
      {"UMSP-5.4-2", must, any, kS5_4, none, octets,
       "Closing has three steps: SESSION_CLOSE, RSP_P, SESSION_ABEND.",
       "each step has its rule: UMSP-5.4-9, -15 and -16"},
      {"UMSP-5.4-3", must, any, kS5_4, stimulus, octets,
       "Either side may end a session by SESSION_ABEND at any time.", {}, {abend_ignored}},
      {"UMSP-5.4-4", must, initiator, kS5_4, none, octets,
       "A that wants to close a session sends SESSION_CLOSE first.",
       "what a node wants is not on the wire, and SESSION_ABEND is allowed at any time"},
      {"UMSP-5.4-5", must, initiator, kS5_4, none, octets,
       "A may go on to send instructions after SESSION_CLOSE: that gives the closing up.",
       "UMSP/B12; a permission, and nothing can make A use it: UMSP-5.4-6 is what it does to the other side"},
      {"UMSP-5.4-6", must, executor, kS5_4, stimulus, octets,
       "An instruction other than a response from A after SESSION_CLOSE cancels the closing: the session goes on.",
       "UMSP/B12", {{closing_not_cancelled, executor}}},
      {"UMSP-5.4-7", must, executor, kS5_4, stimulus, octets,
       "A response from A after SESSION_CLOSE does not cancel the closing.", "UMSP/B12",
       {{response_cancels_closing, executor}}},
      {"UMSP-5.4-8", must, initiator, kS5_4, stimulus, octets,
       "A side that sent SESSION_CLOSE waits for the answer without a timeout.", {}, {{closing_times_out, initiator}}},
      {"UMSP-5.4-9", must, executor, kS5_4, stimulus, octets,
       "The receiver of SESSION_CLOSE answers RSP_P.", "the document sets no time for the answer",
       {{close_unanswered, executor}}},
      {"UMSP-5.4-10", must, initiator, kS5_4, stimulus, octets,
       "RSP_P with basic return code 0 closes: A goes on to SESSION_ABEND or to cancel.", "UMSP/B13",
       {{agreed_closing_unfinished, initiator}}},
      {"UMSP-5.4-11", must, initiator, kS5_4, stimulus, octets,
       "RSP_P with another basic return code cancels the closing: the session stays in use.", "UMSP/B13",
       {{refused_closing_ends, initiator}}},
      {"UMSP-5.4-12", must_not, executor, kS5_4, trace, absence,
       "After its positive RSP_P, B does not use the session for 30 seconds, unless A cancels the closing.",
       "UMSP/B12, UMSP/B43; SESSION_ABEND and responses are taken. A warning: what cancels the closing may go over "
       "another connection"},
      {"UMSP-5.4-13", must, executor, kS5_4, trace, absence,
       "B sends SESSION_ABEND if within 30 seconds A sends neither SESSION_ABEND nor an instruction that cancels.",
       "UMSP/B12; judged after twice that time. UMSP/B31: a warning where it may go over another connection"},
      {"UMSP-5.4-14", must, executor, kS5_4, stimulus, octets,
       "After that SESSION_ABEND, B takes the session for closed.", {}, {{abend_ignored, executor}}},
      {"UMSP-5.4-15", must, initiator, kS5_4, stimulus, octets,
       "A sends SESSION_ABEND after a positive RSP_P, or any other instruction to cancel.",
       "who waits leaves the end to the other side: UMSP-5.4-13", {{agreed_closing_unfinished, initiator}}},
      {"UMSP-5.4-16", must_not, any, kS5_4, trace, absence,
       "After SESSION_ABEND nothing more is sent on the session.",
       "judged of its sender. UMSP/B31: a warning where the identifier could have been given anew on another "
       "connection"},
      {"UMSP-5.4-17", must, executor, kS5_4, stimulus, octets,
       "After a positive RSP_P an instruction of A, NOP included, brings the session back to work.", {},
       {{closing_not_cancelled, executor}}},
      {"UMSP-5.4.1-1", must, any, kS5_4_1, trace, octets,
       "SESSION_CLOSE has PCK 01 or 11."},
      {"UMSP-5.4.1-2", must, any, kS5_4_1, trace, octets,
       "SESSION_CLOSE has CHN 0."},
      {"UMSP-5.4.1-3", must, any, kS5_4_1, trace, octets,
       "SESSION_CLOSE has ASK 0.", "UMSP/A13; a warning, as RSP_P, which answers it, has REQ_ID"},
      {"UMSP-5.4.1-4", must, any, kS5_4_1, stimulus, octets,
       "A receiver takes SESSION_CLOSE with and without extension headers.", {},
       {{close_with_headers_ignored, executor}}},
      {"UMSP-5.4.1-5", must, any, kS5_4_1, trace, octets,
       "SESSION_CLOSE has 0 or 1 word of operands."},
      {"UMSP-5.4.1-6", must, any, kS5_4_1, trace, absence,
       "SESSION_ID of SESSION_CLOSE is the session id that its addressee assigned.",
       "a warning: the session could have come up on another connection of the two nodes (5.3)"},
      {"UMSP-5.4.1-7", must, any, kS5_4_1, stimulus, octets,
       "SESSION_CLOSE for a session that the receiver does not know closes no other session.", {},
       {{close_of_unknown_taken, executor}}},
      {"UMSP-5.4.1-8", must, any, kS5_4_1, none, octets,
       "Operands of SESSION_CLOSE are the basic termination code in 2 octets and the additional one in 2 octets.",
       "any word is two codes: UMSP-5.4.1-5"},
      {"UMSP-5.4.1-9", must, any, kS5_4_1, stimulus, octets,
       "A receiver takes a SESSION_CLOSE with a _MSG header.", {}, {{close_with_headers_ignored, executor}}},
      {"UMSP-5.4.1-10", must, any, kS5_4_1, stimulus, octets,
       "SESSION_CLOSE without operands is the same as one with code 0.", {},
       {{close_without_operands_ignored, executor}}},
      {"UMSP-5.4.2-1", must, any, kS5_4_2, stimulus, octets,
       "SESSION_ABEND ends the session at once: nothing more is executed or sent on it.", {}, {abend_ignored}},
      {"UMSP-5.4.2-2", must_not, any, kS5_4_2, none, octets,
       "SESSION_ABEND gets no response.", "such a response answers no request: UMSP-4.1-9"},
      {"UMSP-5.4.2-3", must, any, kS5_4_2, none, octets,
       "The sender of SESSION_ABEND waits for no responses and sends none on the session.",
       "what it waits for is not on the wire; what it sends breaks UMSP-5.4-16"},
      {"UMSP-5.4.2-4", must, any, kS5_4_2, trace, octets,
       "SESSION_ABEND has PCK 01 or 11."},
      {"UMSP-5.4.2-5", must, any, kS5_4_2, trace, octets,
       "SESSION_ABEND has CHN 0."},
      {"UMSP-5.4.2-6", must, any, kS5_4_2, trace, octets,
       "SESSION_ABEND has ASK 0."},
      {"UMSP-5.4.2-7", must, any, kS5_4_2, stimulus, octets,
       "A receiver takes SESSION_ABEND with and without extension headers.", {}, {abend_with_headers_ignored}},
      {"UMSP-5.4.2-8", must, any, kS5_4_2, trace, octets,
       "SESSION_ABEND has 0 or 1 word of operands."},
      {"UMSP-5.4.2-9", must, any, kS5_4_2, trace, absence,
       "SESSION_ID of SESSION_ABEND is the session id that its addressee assigned.",
       "a warning: the session could have come up on another connection of the two nodes (5.3)",
       {{connection_end_ends_sessions, executor, warning}}},
      {"UMSP-5.4.2-10", must, any, kS5_4_2, none, octets,
       "Operands of SESSION_ABEND are the basic termination code in 2 octets and the additional one in 2 octets.",
       "any word is two codes: UMSP-5.4.2-8"},
      {"UMSP-5.4.2-11", must, any, kS5_4_2, stimulus, octets,
       "A receiver takes a SESSION_ABEND with a _MSG header.", {}, {abend_with_headers_ignored}},
      {"UMSP-5.4.2-12", must, any, kS5_4_2, stimulus, octets,
       "SESSION_ABEND without operands is the same as one with codes 0.", {}, {abend_without_operands_ignored}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::SessionClosingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::SessionClosingRules, I> {
};
