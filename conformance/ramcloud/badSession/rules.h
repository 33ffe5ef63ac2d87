// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct BadSessionRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, PT_BAD_SESSION";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-badSession-1", must, server, kSection, trace, octets,
       "A server sends BAD_SESSION without a payload.", {}, {bad_session_with_payload}},
      {"RAMCLOUD-badSession-2", must_not, client, kSection, trace, octets,
       "A client sends no BAD_SESSION, since only a server declares a session invalid.", {}, {sends_bad_session}},
      {"RAMCLOUD-badSession-3", must, server, kSection, trace, absence,
       "A server copies the client's hint of the packet that it answers into BAD_SESSION.", "RAMCLOUD/R6",
       {bad_session_wrong_client_hint}},
      {"RAMCLOUD-badSession-4", should, server, kSection, stimulus, octets,
       "A server answers a packet of an invalid session with BAD_SESSION.", {},
       {bad_session_not_sent, big_endian_header, wrong_token_accepted, bad_session_wrong_client_hint,
        executes_bad_session}},
      {"RAMCLOUD-badSession-5", must, client, kSection, stimulus, octets,
       "A client sends nothing more under the token of a session after BAD_SESSION for it.", "RAMCLOUD/R27",
       {old_session_after_bad_session, token_not_used}},
      {"RAMCLOUD-badSession-6", must, server, kSection, stimulus, octets,
       "A server does not answer a packet of a valid session with BAD_SESSION.", {},
       {bad_session_for_valid, token_not_accepted}},
      {"RAMCLOUD-badSession-7", must, server, kSection, stimulus, octets,
       "A server does not execute a request of an invalid session.", "RAMCLOUD/R9",
       {executes_bad_session, sessions_share_channels}},
      {"RAMCLOUD-badSession-8", must, server, kSection, stimulus, octets,
       "A server keeps working after it receives BAD_SESSION.", {},
       {bad_session_dies, response_before_request_complete, duplicate_fragment_appended, sessions_share_channels}},
      {"RAMCLOUD-badSession-9", should, client, kSection, stimulus, octets,
       "A client whose sessions are all declared invalid gives up, and does not open new ones forever.",
       "RAMCLOUD/R27", {reopens_for_ever}},
      {"RAMCLOUD-badSession-10", must, client, kSection, stimulus, octets,
       "A client that resends a request in a new session sends it unchanged, without parts of another request.",
       "RAMCLOUD/R27", {old_octets_in_repeated_request}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::BadSessionRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::BadSessionRules, I> {
};
