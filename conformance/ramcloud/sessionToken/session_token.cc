// SPDX-License-Identifier: Apache-2.0
// "sessionToken"
#include "conformance/ramcloud/sessionToken/session_token.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/sessionToken/rules.h"

namespace wirelaw::ramcloud {

void check_session_token(Judge& judge, const Header& header, const TokenFact& fact) {
  const Rule& kept = fact.is_from_client ? rule<"RAMCLOUD-sessionToken-2"> : rule<"RAMCLOUD-sessionToken-3">;
  judge.require(
      kept, header.session_token == fact.of_session, field::kSessionToken, expected(hex(fact.of_session)),
      actual(hex(header.session_token)),
      "not the token of the session that the hints name; or the open response of another session was not captured");
}

void check_new_token(Judge& judge, const PacketFacts& facts, const NewTokenFact& fact) {
  judge.require(rule<"RAMCLOUD-sessionToken-4">, !fact.holder, field::kSessionToken, expected("a token of its own"),
                actual(hex(facts.header().session_token)), [&] {
                  return fmt::format("the session with client hint 0x{:08x} and server hint 0x{:08x} has this token",
                                     fact.holder->client, fact.holder->server);
                });
}

void check_repeated_response(Judge& judge, const PacketFacts& facts, const RepeatedResponseFact& fact) {
  judge.require(rule<"RAMCLOUD-sessionToken-4">, fact.announced == fact.before, field::payload(facts.packet),
                expected([&] { return fmt::format("maxChannelId {}", fact.before); }),
                actual([&] { return fmt::format("maxChannelId {}", fact.announced); }),
                "the session with this token and these hints has another bound", Evidence::absence);
}

}  // namespace wirelaw::ramcloud
