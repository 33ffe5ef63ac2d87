// SPDX-License-Identifier: Apache-2.0
// "serverSessionHint"
#include "conformance/ramcloud/serverSessionHint/server_session_hint.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/serverSessionHint/rules.h"

namespace wirelaw::ramcloud {

void judge_server_hint(Judge& judge, const Seen& seen) {
  const Rule& kept =
      seen.sender == Role::initiator ? rule<"RAMCLOUD-serverSessionHint-2"> : rule<"RAMCLOUD-serverSessionHint-1">;
  judge.require(kept, seen.header().server_session_hint == seen.session->server_hint, field::kServerSessionHint,
                expected(hex(seen.session->server_hint)), actual(hex(seen.header().server_session_hint)),
                "the open response gave another hint");
}

}  // namespace wirelaw::ramcloud
