// SPDX-License-Identifier: Apache-2.0
// "clientSessionHint"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constinit const Rule kClientHintKept{
    "RAMCLOUD-clientSessionHint-1",
    Level::must,
    Role::initiator,
    "RAMCloud RPC, clientSessionHint",
    Observable::trace,
    "The client's hint is the same in all its packets on a session, the open request included."};
constinit const Rule kClientHintInOpenResponse{"RAMCLOUD-clientSessionHint-2",
                                               Level::must,
                                               Role::responder,
                                               "RAMCloud RPC, clientSessionHint",
                                               Observable::trace,
                                               "The open response carries the client's hint of the open request."};
constinit const Rule kServerEchoesClientHint{
    "RAMCLOUD-clientSessionHint-3",
    Level::must,
    Role::responder,
    "RAMCloud RPC, clientSessionHint",
    Observable::trace,
    "Every DATA and ACK packet of the server on a session carries the client's hint."};

RuleList client_session_hint_rules() {
  static constexpr const Rule* kRules[] = {&kClientHintKept, &kClientHintInOpenResponse, &kServerEchoesClientHint};
  return kRules;
}

void judge_client_hint(Judge& judge, const Seen& seen) {
  const Rule& rule = seen.sender == Role::initiator ? kClientHintKept : kServerEchoesClientHint;
  judge.require(rule, seen.header().client_session_hint == seen.session->client_hint, field::kClientSessionHint,
                expected(hex(seen.session->client_hint)), actual(hex(seen.header().client_session_hint)),
                "the session was opened with another hint");
}

void judge_client_hint_in_open_response(Judge& judge, const Seen& seen, bool echoed) {
  judge.require(kClientHintInOpenResponse, echoed, field::kClientSessionHint, expected("the hint of an open request"),
                actual(hex(seen.header().client_session_hint)), "no open request carried this hint");
}

}  // namespace wirelaw::ramcloud
