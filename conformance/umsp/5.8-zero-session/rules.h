// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct ZeroSessionRules : Words {
  static constexpr std::string_view kS5_8 = "RFC 3018 5.8";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-5.8-1", must, executor, kS5_8, stimulus, octets,
       "A node that works without a session initiates neither job nor task and does not use the JCP.", {},
       {{zero_open_registered, executor}}},
      {"UMSP-5.8-2", must, any, kS5_8, none, octets,
       "An instruction without a session has the same format as one in a session.",
       "Each instruction's own rules require it"},
      {"UMSP-5.8-3", must, any, kS5_8, none, octets,
       "An instruction without a session has PCK 00 or SESSION_ID 0.", "Any other SESSION_ID names a session"},
      {"UMSP-5.8-4", must, executor, kS5_8, stimulus, octets,
       "A node that works without sessions has a default VM, which executes instructions without a session.", {},
       {{zero_session_unserved, executor}, {datagrams_without_session_ignored, executor}}},
      {"UMSP-5.8-5", must, executor, kS5_8, stimulus, octets,
       "A node that works without sessions gives access to the memory of its default VM.", {},
       {{zero_session_unserved, executor}}},
      {"UMSP-5.8-6", must, any, kS5_8, trace, octets,
       "A SESSION_OPEN with SESSION_ID 0, which exchanges parameters of the zero-session, also has REQ_ID 0.",
       "UMSP/A14; PCK 00 with another REQ_ID reads as the first SESSION_OPEN of a session"},
      {"UMSP-5.8-7", must, executor, kS5_8, stimulus, octets,
       "A receiver that provides the profile of a SESSION_OPEN for the zero-session answers with SESSION_ACCEPT.",
       "UMSP/A14; the document sets no time for the answer",
       {{zero_open_countered, executor}, {zero_open_unanswered, executor}}},
      {"UMSP-5.8-8", must, executor, kS5_8, stimulus, octets,
       "A receiver that does not provide the profile of a SESSION_OPEN for the zero-session answers with a "
       "SESSION_OPEN.", "UMSP/A14; the document sets no time for the answer", {{zero_open_unanswered, executor}}},
      {"UMSP-5.8-9", must, executor, kS5_8, none, octets,
       "A SESSION_OPEN that answers one for the zero-session has SESSION_ID 0 and REQ_ID 0.",
       "UMSP/A14; UMSP-5.8-6 judges each of them"},
      {"UMSP-5.8-10", must, executor, kS5_8, stimulus, octets,
       "A node opens no session for a SESSION_OPEN for the zero-session.", "UMSP/A14",
       {{zero_open_makes_session, executor}}},
      {"UMSP-5.8-11", must, executor, kS5_8, stimulus, octets,
       "A node executes instructions of the zero-session with or without an exchange of SESSION_OPEN for it.", {},
       {{zero_session_needs_open, executor}}},
      {"UMSP-5.8-12", must, any, kS5_8, none, octets,
       "A chain without a session is completely in one segment of the transport.",
       "UMSP/B24; TCP cuts its stream as it likes, and UMSP-7-21 judges datagrams"},
      {"UMSP-5.8-13", must_not, any, kS5_8, trace, octets,
       "A sender requests no memory without a session: it sends no MEM_ALLOC and no MVCODE.",
       "A warning for MVCODE, which requests memory only indirectly"},
      {"UMSP-5.8-14", must_not, any, kS5_8, trace, octets,
       "A sender creates no object without a session: it sends no NEW and no NEW_SYS."},
      {"UMSP-5.8-15", may, any, kS5_8, none, octets,
       "A sender may use MVRUN without a session.", "A permission; 5.3.4 has a rule for S30 of the profile"},
      {"UMSP-5.8-16", must_not, any, kS5_8, api, octets,
       "Without a session, parameters and returned values contain no pointers.",
       "What octets mean to a program is not on the wire"},
      {"UMSP-5.8-17", must_not, executor, kS5_8, api, octets,
       "The protocol layer does not check the restrictions on work without a session, which are the VM's task.",
       "A refusal does not show which of the two it is from"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ZeroSessionRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ZeroSessionRules, I> {
};
