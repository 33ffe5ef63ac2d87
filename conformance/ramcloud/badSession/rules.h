// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct BadSessionRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, PT_BAD_SESSION";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-badSession-1", must, server, kSection, trace, octets,
       "A BAD_SESSION packet has no payload.", {}, {bad_session_with_payload}},
      {"RAMCLOUD-badSession-2", must_not, client, kSection, trace, octets,
       "Only a server calls a session invalid; a client sends no BAD_SESSION.", {}, {sends_bad_session}},
      {"RAMCLOUD-badSession-3", must, server, kSection, trace, absence,
       "BAD_SESSION carries the client's hint of the packet that it answers.", "RAMCLOUD/R6",
       {bad_session_wrong_client_hint}},
      {"RAMCLOUD-badSession-4", should, server, kSection, stimulus, octets,
       "A packet of an invalid session is answered with BAD_SESSION.", {},
       {bad_session_not_sent, big_endian_header, wrong_token_accepted, bad_session_wrong_client_hint,
        executes_bad_session}},
      {"RAMCLOUD-badSession-5", must, client, kSection, stimulus, octets,
       "After BAD_SESSION the client sends nothing more under the token of that session.", "RAMCLOUD/R27",
       {old_session_after_bad_session, token_not_used}},
      {"RAMCLOUD-badSession-6", must, server, kSection, stimulus, octets,
       "A packet of a valid session is not answered with BAD_SESSION.", {},
       {bad_session_for_valid, token_not_accepted}},
      {"RAMCLOUD-badSession-7", must, server, kSection, stimulus, octets,
       "A request of an invalid session is not executed.", "RAMCLOUD/R9",
       {executes_bad_session, sessions_share_channels}},
      {"RAMCLOUD-badSession-8", must, server, kSection, stimulus, octets,
       "A BAD_SESSION that is sent to a server does no harm.", {},
       {bad_session_dies, response_before_request_complete, duplicate_fragment_appended, sessions_share_channels}},
      {"RAMCLOUD-badSession-9", should, client, kSection, stimulus, octets,
       "A client whose sessions are all called bad gives up: it does not open new ones for ever.", "RAMCLOUD/R27",
       {reopens_for_ever}},
      {"RAMCLOUD-badSession-10", must, client, kSection, stimulus, octets,
       "A request that is sent again in a new session is the same: nothing of another is left in it.", "RAMCLOUD/R27",
       {old_octets_in_repeated_request}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::BadSessionRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::BadSessionRules, I> {
};
