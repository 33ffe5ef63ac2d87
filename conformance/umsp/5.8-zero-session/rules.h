// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct ZeroSessionRules : Words {
  static constexpr std::string_view kS5_8 = "RFC 3018 5.8";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-5.8-1", must, executor, kS5_8, stimulus, octets,
       "Without a session neither job nor task is initiated, and the JCP is not asked.", {},
       {{zero_open_registered, executor}}},
      {"UMSP-5.8-2", must, any, kS5_8, none, octets,
       "An instruction without a session has the format of one in a session.",
       "what each instruction's own rules demand"},
      {"UMSP-5.8-3", must, any, kS5_8, none, octets,
       "An instruction without a session has PCK 00 or SESSION_ID 0.", "any other SESSION_ID names a session"},
      {"UMSP-5.8-4", must, executor, kS5_8, stimulus, octets,
       "A node that works without sessions has a VM that executes such instructions by default.", {},
       {{zero_session_unserved, executor}, {datagrams_without_session_ignored, executor}}},
      {"UMSP-5.8-5", must, executor, kS5_8, stimulus, octets,
       "The memory of that VM is reached without a session.", {}, {{zero_session_unserved, executor}}},
      {"UMSP-5.8-6", must, any, kS5_8, trace, octets,
       "SESSION_OPEN with SESSION_ID 0, for the parameters of the zero-session, has REQ_ID 0 too.",
       "UMSP/A14; PCK 00 with another REQ_ID reads as the first SESSION_OPEN of a session"},
      {"UMSP-5.8-7", must, executor, kS5_8, stimulus, octets,
       "The receiver of such a SESSION_OPEN that provides the profile answers SESSION_ACCEPT.",
       "UMSP/A14; the document sets no time for the answer",
       {{zero_open_countered, executor}, {zero_open_unanswered, executor}}},
      {"UMSP-5.8-8", must, executor, kS5_8, stimulus, octets,
       "The receiver that does not provide it answers a SESSION_OPEN.",
       "UMSP/A14; the document sets no time for the answer", {{zero_open_unanswered, executor}}},
      {"UMSP-5.8-9", must, executor, kS5_8, none, octets,
       "That SESSION_OPEN in answer has SESSION_ID 0 and REQ_ID 0.", "UMSP/A14; UMSP-5.8-6 judges each of them"},
      {"UMSP-5.8-10", must, executor, kS5_8, stimulus, octets,
       "SESSION_OPEN for the zero-session opens no session.", "UMSP/A14", {{zero_open_makes_session, executor}}},
      {"UMSP-5.8-11", must, executor, kS5_8, stimulus, octets,
       "The zero-session works with or without that exchange.", {}, {{zero_session_needs_open, executor}}},
      {"UMSP-5.8-12", must, any, kS5_8, none, octets,
       "A chain without a session lies in one segment of the transport.",
       "UMSP/B24; TCP cuts its stream as it likes, and of datagrams it is UMSP-7-21"},
      {"UMSP-5.8-13", must_not, any, kS5_8, trace, octets,
       "Without a session no memory is asked for: no MEM_ALLOC, MVCODE.",
       "a warning for MVCODE, which asks for memory in passing"},
      {"UMSP-5.8-14", must_not, any, kS5_8, trace, octets,
       "Without a session no object is made: no NEW, NEW_SYS."},
      {"UMSP-5.8-15", may, any, kS5_8, none, octets,
       "MVRUN may be used without a session.", "a permission; S30 of the profile is a rule of 5.3.4"},
      {"UMSP-5.8-16", must_not, any, kS5_8, api, octets,
       "Without a session neither parameters nor returned values contain pointers.",
       "what octets mean to a program is not on the wire"},
      {"UMSP-5.8-17", must_not, executor, kS5_8, api, octets,
       "The protocol layer does not check those restrictions: that is the VM's part.",
       "a refusal does not show which of the two it is from"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ZeroSessionRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ZeroSessionRules, I> {
};
