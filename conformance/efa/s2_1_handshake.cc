// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.1: the HANDSHAKE packet, and when it is sent.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s2_1_handshake_rules() {
  return {};
}

void judge_handshake(Judge&, const SeenPacket& seen, Conversation& conversation) {
  Party& party = conversation.party(seen.sender());
  if (party.handshakes++ > 0) return;
  party.handshake = seen.mark();
  party.extra_info =
      seen.packet.extra_info.size() < 8 ? 0 : load_little_endian<std::uint64_t>(seen.packet.extra_info.data());
  party.packets_at_handshake = conversation.party(other(seen.sender())).packets;
}

void finish_handshake(Judge&, Conversation&) {}

}  // namespace wirelaw::efa
