// SPDX-License-Identifier: Apache-2.0
// "PT_BAD_SESSION"
#include "conformance/ramcloud/badSession/bad_session.h"

#include "conformance/ramcloud/badSession/rules.h"
#include "conformance/ramcloud/fields.h"

namespace wirelaw::ramcloud {

void judge_bad_session(Judge& judge, const Seen& seen, bool from_client, std::optional<bool> hint_known) {
  judge.require(rule<"RAMCLOUD-badSession-1">, seen.message.wire_length == layout::kHeader, field::payload(seen.packet),
                expected("no payload"),
                actual([&] { return fmt::format("{} octets", seen.message.wire_length - layout::kHeader); }),
                "BAD_SESSION carries nothing behind its header");
  if (!judge.require(rule<"RAMCLOUD-badSession-2">, !from_client, field::kFlags,
                     expected("no BAD_SESSION from a client"), actual("BAD_SESSION"),
                     "the sender has only been a client in this flow"))
    return;
  if (!hint_known) return;
  judge.require(rule<"RAMCLOUD-badSession-3">, *hint_known, field::kClientSessionHint,
                expected("a hint that the client used"), actual(hex(seen.header().client_session_hint)),
                "no packet of the client carried this hint; or the one that did was not captured");
}

}  // namespace wirelaw::ramcloud
