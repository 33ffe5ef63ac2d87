// SPDX-License-Identifier: Apache-2.0
// "serverSessionHint"
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, serverSessionHint"};
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kServerHintKept =
    kServer.must("RAMCLOUD-serverSessionHint-1",
                 "The server's hint is the same in all its packets on a session, from the open response on.");
constinit const Rule kClientEchoesServerHint =
    kClient.must("RAMCLOUD-serverSessionHint-2",
                 "Every packet of the client on a session, save the open request, carries the server's hint.");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(broken_by(kServerHintKept, {server_hint_changes, executes_bad_session}),
                                        broken_by(kClientEchoesServerHint, {server_hint_not_echoed, token_alternates}));

}  // namespace

RuleList server_session_hint_rules() {
  static constexpr const Rule* kRules[] = {&kServerHintKept, &kClientEchoesServerHint};
  return kRules;
}

BreachList server_session_hint_breaches() {
  return kBreaches;
}

void judge_server_hint(Judge& judge, const Seen& seen) {
  const Rule& rule = seen.sender == Role::initiator ? kClientEchoesServerHint : kServerHintKept;
  judge.require(rule, seen.header().server_session_hint == seen.session->server_hint, field::kServerSessionHint,
                expected(hex(seen.session->server_hint)), actual(hex(seen.header().server_session_hint)),
                "the open response gave another hint");
}

}  // namespace wirelaw::ramcloud
