// SPDX-License-Identifier: Apache-2.0
// "sessionToken"
#include "conformance/ramcloud/sessionToken/session_token.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/sessionToken/rules.h"

namespace wirelaw::ramcloud {

void judge_session_token(Judge& judge, const Seen& seen, const Session& session) {
  const Rule& kept =
      seen.message.sender == session.client ? rule<"RAMCLOUD-sessionToken-2"> : rule<"RAMCLOUD-sessionToken-3">;
  judge.require(
      kept, seen.header().session_token == session.token, field::kSessionToken, expected(hex(session.token)),
      actual(hex(seen.header().session_token)),
      "not the token of the session that the hints name; or the open response of another session was not captured");
}

void judge_new_token(Judge& judge, const Seen& seen, const Session* holder) {
  judge.require(rule<"RAMCLOUD-sessionToken-4">, holder == nullptr, field::kSessionToken,
                expected("a token of its own"), actual(hex(seen.header().session_token)), [&] {
                  return fmt::format("the session with client hint 0x{:08x} and server hint 0x{:08x} has this token",
                                     holder->client_hint, holder->server_hint);
                });
}

}  // namespace wirelaw::ramcloud
