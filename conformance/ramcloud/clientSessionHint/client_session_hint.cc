// SPDX-License-Identifier: Apache-2.0
// "clientSessionHint"
#include "conformance/ramcloud/clientSessionHint/client_session_hint.h"

#include "conformance/ramcloud/clientSessionHint/rules.h"
#include "conformance/ramcloud/fields.h"

namespace wirelaw::ramcloud {

void judge_client_hint(Judge& judge, const Seen& seen) {
  const Rule& kept =
      seen.sender == Role::initiator ? rule<"RAMCLOUD-clientSessionHint-1"> : rule<"RAMCLOUD-clientSessionHint-3">;
  judge.require(kept, seen.header().client_session_hint == seen.session->client_hint, field::kClientSessionHint,
                expected(hex(seen.session->client_hint)), actual(hex(seen.header().client_session_hint)),
                "the session was opened with another hint");
}

void judge_client_hint_in_open_response(Judge& judge, const Seen& seen, bool echoed) {
  judge.require(rule<"RAMCLOUD-clientSessionHint-2">, echoed, field::kClientSessionHint,
                expected("the hint of an open request"), actual(hex(seen.header().client_session_hint)),
                "no open request carried this hint; or the one that did was not captured");
}

}  // namespace wirelaw::ramcloud
