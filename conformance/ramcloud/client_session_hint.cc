// SPDX-License-Identifier: Apache-2.0
// "clientSessionHint"
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, clientSessionHint"};
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kClientHintKept =
    kClient.must("RAMCLOUD-clientSessionHint-1",
                 "The client's hint is the same in all its packets on a session, the open request included.");
constinit const Rule kClientHintInOpenResponse =
    kServer.resting_on(Evidence::absence)
        .must("RAMCLOUD-clientSessionHint-2", "The open response carries the client's hint of the open request.");
constinit const Rule kServerEchoesClientHint = kServer.must(
    "RAMCLOUD-clientSessionHint-3", "Every DATA and ACK packet of the server on a session carries the client's hint.");

namespace {

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kClientHintKept, {client_hint_changes, token_alternates}),
                 broken_by(kClientHintInOpenResponse, {open_response_other_client_hint, big_endian_header}),
                 broken_by(kServerEchoesClientHint, {client_hint_not_echoed_in_data, open_response_other_client_hint}));

}  // namespace

RuleList client_session_hint_rules() {
  static constexpr const Rule* kRules[] = {&kClientHintKept, &kClientHintInOpenResponse, &kServerEchoesClientHint};
  return kRules;
}

BreachList client_session_hint_breaches() {
  return kBreaches;
}

void judge_client_hint(Judge& judge, const Seen& seen) {
  const Rule& rule = seen.sender == Role::initiator ? kClientHintKept : kServerEchoesClientHint;
  judge.require(rule, seen.header().client_session_hint == seen.session->client_hint, field::kClientSessionHint,
                expected(hex(seen.session->client_hint)), actual(hex(seen.header().client_session_hint)),
                "the session was opened with another hint");
}

void judge_client_hint_in_open_response(Judge& judge, const Seen& seen, bool echoed) {
  judge.require(kClientHintInOpenResponse, echoed, field::kClientSessionHint, expected("the hint of an open request"),
                actual(hex(seen.header().client_session_hint)),
                "no open request carried this hint; or the one that did was not captured");
}

}  // namespace wirelaw::ramcloud
