// SPDX-License-Identifier: Apache-2.0
// "sessionToken"
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, sessionToken"};
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kClientKeepsToken =
    kClient.resting_on(Evidence::absence)
        .must("RAMCLOUD-sessionToken-2",
              "Every packet of the client on a session carries the token of the open response.");
constinit const Rule kServerKeepsToken =
    kServer.resting_on(Evidence::absence)
        .must("RAMCLOUD-sessionToken-3",
              "Every DATA and ACK packet of the server on a session carries the token of its open response.");
constinit const Rule kTokensDiffer = kServer.must(
    "RAMCLOUD-sessionToken-4", "Two sessions that a server opens have different tokens.", "RAMCLOUD/R7, RAMCLOUD/R8");

namespace {

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kClientKeepsToken, {token_not_used}),
                 broken_by(kServerKeepsToken, {token_zero_in_data, token_changes, executes_bad_session}),
                 broken_by(kTokensDiffer, {tokens_repeat}));

}  // namespace

RuleList session_token_rules() {
  static constexpr const Rule* kRules[] = {&kClientKeepsToken, &kServerKeepsToken, &kTokensDiffer};
  return kRules;
}

BreachList session_token_breaches() {
  return kBreaches;
}

void judge_session_token(Judge& judge, const Seen& seen, const Session& session) {
  const Rule& rule = seen.message.sender == session.client ? kClientKeepsToken : kServerKeepsToken;
  judge.require(
      rule, seen.header().session_token == session.token, field::kSessionToken, expected(hex(session.token)),
      actual(hex(seen.header().session_token)),
      "not the token of the session that the hints name; or the open response of another session was not captured");
}

void judge_new_token(Judge& judge, const Seen& seen, const Session* holder) {
  judge.require(kTokensDiffer, holder == nullptr, field::kSessionToken, expected("a token of its own"),
                actual(hex(seen.header().session_token)), [&] {
                  return fmt::format("the session with client hint 0x{:08x} and server hint 0x{:08x} has this token",
                                     holder->client_hint, holder->server_hint);
                });
}

}  // namespace wirelaw::ramcloud
