// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.3: the constant header length.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

namespace {

constexpr Section kSection{"EFA RDM v4 4.3", kRequester};

}  // namespace

constinit const Rule kHeaderStays = kSection.should(
    "EFA-4.3-1",
    "To a peer that asks for a constant header length, all EAGER_MSGRTM have headers of one length, CQ data aside.",
    "A-11, A-38");

constexpr Breach kBreaches[] = {
    {Deviation::constant_header_ignored, kHeaderStays},
};

SectionRules s4_3_rules() {
  static constexpr const Rule* kRules[] = {&kHeaderStays};
  return {kRules, kBreaches};
}

void judge_constant_header(Judge& judge, const SeenPacket& seen, TraceState& state) {
  constexpr std::size_t kCqData = 8;
  if (seen.layout.type != PacketType::eager_msgrtm) return;
  Party& party = state.party(seen.sender());
  const Party& peer = state.party(other(seen.sender()));
  const std::size_t length = seen.headers - (seen.packet.has(flag::kCqData) ? kCqData : 0);
  if (peer.announced(Extra::constant_header_length) && party.eager_header && state.partial().empty())
    judge.require(kHeaderStays, length == *party.eager_header, octets(0, seen.headers), expected(*party.eager_header),
                  actual(length), "octets of headers: the length has changed, though the peer asks for a constant one");
  // A raw address that was missing before the HANDSHAKE is another fault.
  if (peer.handshake || seen.packet.has(flag::kRawAddress)) party.eager_header = length;
}

}  // namespace wirelaw::efa
