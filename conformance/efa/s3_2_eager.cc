// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.3: eager messages, with their delivery complete form (4.2). One packet is all there is of
// them; what it must be is said of every REQ packet (3.1) and every message ID (s3_2_msg_id.cc).
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

namespace {

constexpr Section kSection{"EFA RDM v4 3.2, Eager message", kRequester, Observable::api};

}  // namespace

constinit const Rule kEagerIsWholeMessage =
    kSection.must("EFA-3.2-20", "An eager packet carries the whole of the application's message.",
                  "The packet does not say how long the message is: only the application that sent it knows");

constexpr Breach kBreaches[] = {
    {Deviation::connid_padded, kEagerIsWholeMessage},
};

SectionRules s3_2_eager_rules() {
  static constexpr const Rule* kRules[] = {&kEagerIsWholeMessage};
  return {kRules, kBreaches};
}

void judge_eager_message(Judge& judge, const SeenPacket& seen, TraceState& state) {
  judge_constant_header(judge, seen, state);
  if (!seen.layout.delivery_complete) return;
  if (seen.doubled && state.exchanges().by_msg_id(seen.sender(), seen.packet.msg_id) != nullptr)
    return;  // judge_msg_id() has reported it
  judge_send_id(judge, seen, state);
  state.begin(seen);
}

}  // namespace wirelaw::efa
