// SPDX-License-Identifier: Apache-2.0
// "clientSessionHint"
#include "conformance/ramcloud/clientSessionHint/client_session_hint.h"

#include "conformance/ramcloud/clientSessionHint/rules.h"
#include "conformance/ramcloud/fields.h"

namespace wirelaw::ramcloud {

void check_client_hint(Judge& judge, const PacketFacts& facts, const Hints& of_session) {
  const Rule& kept =
      facts.sender == Role::initiator ? rule<"RAMCLOUD-clientSessionHint-1"> : rule<"RAMCLOUD-clientSessionHint-3">;
  judge.require(kept, facts.header().client_session_hint == of_session.client, field::kClientSessionHint,
                expected(hex(of_session.client)), actual(hex(facts.header().client_session_hint)),
                "the session was opened with another hint");
}

void check_client_hint_in_open_response(Judge& judge, const PacketFacts& facts, bool is_asked_with) {
  judge.require(rule<"RAMCLOUD-clientSessionHint-2">, is_asked_with, field::kClientSessionHint,
                expected("the hint of an open request"), actual(hex(facts.header().client_session_hint)),
                "no open request carried this hint; or the one that did was not captured");
}

}  // namespace wirelaw::ramcloud
