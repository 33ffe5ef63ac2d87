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
       "Only the side that opened a session sends SESSION_CLOSE for it."},
      {"UMSP-5.4-2", must, any, kS5_4, none, octets,
       "Closing a session takes three steps: SESSION_CLOSE, RSP_P and SESSION_ABEND.",
       "UMSP-5.4-9, -15 and -16 judge the steps"},
      {"UMSP-5.4-3", must, any, kS5_4, stimulus, octets,
       "A node accepts SESSION_ABEND from either side of a session at any time.", {}, {abend_ignored}},
      {"UMSP-5.4-4", must, initiator, kS5_4, none, octets,
       "If side A, which opened the session, wants to close it, it sends SESSION_CLOSE first.",
       "What a node wants is not on the wire, and it may send SESSION_ABEND at any time"},
      {"UMSP-5.4-5", must, initiator, kS5_4, none, octets,
       "Side A may send more instructions after SESSION_CLOSE, which cancels the closing.",
       "UMSP/B12; a permission, and nothing can make A use it: UMSP-5.4-6 judges the effect on the other side"},
      {"UMSP-5.4-6", must, executor, kS5_4, stimulus, octets,
       "Side B continues the session if, after SESSION_CLOSE, side A sends any instruction other than a response.",
       "UMSP/B12", {{closing_not_cancelled, executor}}},
      {"UMSP-5.4-7", must, executor, kS5_4, stimulus, octets,
       "Side B does not take a response from side A after SESSION_CLOSE as a cancellation.", "UMSP/B12",
       {{response_cancels_closing, executor}}},
      {"UMSP-5.4-8", must, initiator, kS5_4, stimulus, octets,
       "A side that sent SESSION_CLOSE waits for the response without a timeout.", {},
       {{closing_times_out, initiator}}},
      {"UMSP-5.4-9", must, executor, kS5_4, stimulus, octets,
       "The receiver of SESSION_CLOSE answers with RSP_P.", "The document sets no time for the answer",
       {{close_unanswered, executor}}},
      {"UMSP-5.4-10", must, initiator, kS5_4, stimulus, octets,
       "Side A takes RSP_P with basic return code 0 as consent, and sends SESSION_ABEND or cancels the closing.",
       "UMSP/B13", {{agreed_closing_unfinished, initiator}}},
      {"UMSP-5.4-11", must, initiator, kS5_4, stimulus, octets,
       "Side A takes RSP_P with another basic return code as a refusal, and keeps the session in use.", "UMSP/B13",
       {{refused_closing_ends, initiator}}},
      {"UMSP-5.4-12", must_not, executor, kS5_4, trace, absence,
       "After its positive RSP_P, side B does not use the session for 30 seconds, unless side A cancels the closing.",
       "UMSP/B12, UMSP/B43; SESSION_ABEND and responses are accepted. UMSP/B31: a warning if the cancellation may have "
       "used another connection"},
      {"UMSP-5.4-13", must, executor, kS5_4, trace, absence,
       "If side A sends neither SESSION_ABEND nor a cancelling instruction within 30 seconds, side B sends "
       "SESSION_ABEND.",
       "UMSP/B12; judged after twice that time. UMSP/B31: a warning if SESSION_ABEND may have used another connection"},
      {"UMSP-5.4-14", must, executor, kS5_4, stimulus, octets,
       "After side B has ended a closing with SESSION_ABEND, it treats the session as closed.", {},
       {{abend_ignored, executor}}},
      {"UMSP-5.4-15", must, initiator, kS5_4, stimulus, octets,
       "After a positive RSP_P, side A sends SESSION_ABEND, or another instruction to cancel the closing.",
       "If A sends neither, the other side ends the session: UMSP-5.4-13", {{agreed_closing_unfinished, initiator}}},
      {"UMSP-5.4-16", must_not, any, kS5_4, trace, absence,
       "The sender of SESSION_ABEND sends nothing more on the session.",
       "UMSP/B31: a warning if the identifier may have been assigned again on another connection"},
      {"UMSP-5.4-17", must, executor, kS5_4, stimulus, octets,
       "If side A sends an instruction, even NOP, after a positive RSP_P, side B continues the session.", {},
       {{closing_not_cancelled, executor}}},
      {"UMSP-5.4.1-1", must, any, kS5_4_1, trace, octets,
       "SESSION_CLOSE has PCK 01 or 11."},
      {"UMSP-5.4.1-2", must, any, kS5_4_1, trace, octets,
       "SESSION_CLOSE has CHN 0."},
      {"UMSP-5.4.1-3", must, any, kS5_4_1, trace, octets,
       "SESSION_CLOSE has ASK 0.", "UMSP/A13; a warning, since its answer RSP_P has a REQ_ID"},
      {"UMSP-5.4.1-4", must, any, kS5_4_1, stimulus, octets,
       "A receiver accepts SESSION_CLOSE with and without extension headers.", {},
       {{close_with_headers_ignored, executor}}},
      {"UMSP-5.4.1-5", must, any, kS5_4_1, trace, octets,
       "SESSION_CLOSE has 0 or 1 word of operands."},
      {"UMSP-5.4.1-6", must, any, kS5_4_1, trace, absence,
       "SESSION_ID of SESSION_CLOSE is the session identifier that its addressee assigned.",
       "A warning: the session may have been opened on another connection of the two nodes (5.3)"},
      {"UMSP-5.4.1-7", must, any, kS5_4_1, stimulus, octets,
       "A receiver of SESSION_CLOSE for an unknown session closes no other session.", {},
       {{close_of_unknown_taken, executor}}},
      {"UMSP-5.4.1-8", must, any, kS5_4_1, none, octets,
       "The operands of SESSION_CLOSE are the basic and the additional termination code (2 octets each).",
       "Any word is two codes: UMSP-5.4.1-5"},
      {"UMSP-5.4.1-9", must, any, kS5_4_1, stimulus, octets,
       "A receiver accepts a SESSION_CLOSE with a _MSG header.", {}, {{close_with_headers_ignored, executor}}},
      {"UMSP-5.4.1-10", must, any, kS5_4_1, stimulus, octets,
       "A receiver treats SESSION_CLOSE without operands like one with code 0.", {},
       {{close_without_operands_ignored, executor}}},
      {"UMSP-5.4.2-1", must, any, kS5_4_2, stimulus, octets,
       "SESSION_ABEND ends the session at once: the receiver executes and sends nothing more on it.",
       "UMSP/B61: a capture shows what the receiver sends later",
       {abend_ignored}},
      {"UMSP-5.4.2-2", must_not, any, kS5_4_2, none, octets,
       "A node does not answer SESSION_ABEND.", "Such a response matches no request: UMSP-4.1-9"},
      {"UMSP-5.4.2-3", must, any, kS5_4_2, none, octets,
       "The sender of SESSION_ABEND neither waits for responses nor sends any on the session.",
       "What it waits for is not on the wire; what it sends violates UMSP-5.4-16"},
      {"UMSP-5.4.2-4", must, any, kS5_4_2, trace, octets,
       "SESSION_ABEND has PCK 01 or 11."},
      {"UMSP-5.4.2-5", must, any, kS5_4_2, trace, octets,
       "SESSION_ABEND has CHN 0."},
      {"UMSP-5.4.2-6", must, any, kS5_4_2, trace, octets,
       "SESSION_ABEND has ASK 0."},
      {"UMSP-5.4.2-7", must, any, kS5_4_2, stimulus, octets,
       "A receiver accepts SESSION_ABEND with and without extension headers.", {}, {abend_with_headers_ignored}},
      {"UMSP-5.4.2-8", must, any, kS5_4_2, trace, octets,
       "SESSION_ABEND has 0 or 1 word of operands."},
      {"UMSP-5.4.2-9", must, any, kS5_4_2, trace, absence,
       "SESSION_ID of SESSION_ABEND is the session identifier that its addressee assigned.",
       "A warning: the session may have been opened on another connection of the two nodes (5.3)",
       {{connection_end_ends_sessions, executor, warning}}},
      {"UMSP-5.4.2-10", must, any, kS5_4_2, none, octets,
       "The operands of SESSION_ABEND are the basic and the additional termination code (2 octets each).",
       "Any word is two codes: UMSP-5.4.2-8"},
      {"UMSP-5.4.2-11", must, any, kS5_4_2, stimulus, octets,
       "A receiver accepts a SESSION_ABEND with a _MSG header.", {}, {abend_with_headers_ignored}},
      {"UMSP-5.4.2-12", must, any, kS5_4_2, stimulus, octets,
       "A receiver treats SESSION_ABEND without operands like one with both codes 0.", {},
       {abend_without_operands_ignored}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::SessionClosingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::SessionClosingRules, I> {
};
