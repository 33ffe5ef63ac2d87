// SPDX-License-Identifier: Apache-2.0
// "serverSessionHint"
#include "conformance/ramcloud/serverSessionHint/server_session_hint.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/serverSessionHint/rules.h"

namespace wirelaw::ramcloud {

void check_server_hint(Judge& judge, const PacketFacts& facts, const Hints& of_session) {
  const Rule& kept =
      facts.sender == Role::initiator ? rule<"RAMCLOUD-serverSessionHint-2"> : rule<"RAMCLOUD-serverSessionHint-1">;
  judge.require(kept, facts.header().server_session_hint == of_session.server, field::kServerSessionHint,
                expected(hex(of_session.server)), actual(hex(facts.header().server_session_hint)),
                "the open response gave another hint");
}

}  // namespace wirelaw::ramcloud
