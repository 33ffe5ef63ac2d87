// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.3: the constant header length.
#include "conformance/efa/4.3-constant-header/constant_header.h"

#include "conformance/efa/4.3-constant-header/rules.h"

namespace wirelaw::efa {

namespace {

// A sender that cannot comply may ignore the request (2.1). One that has kept its raw address long after it was asked
// to can.
void judge_length(Judge& judge, const SeenPacket& seen, TraceState& state, std::size_t length) {
  Party& party = state.party(seen.sender());
  const bool stays = length == *party.eager_header;
  const OctetRange headers = octets(0, seen.headers);
  const auto want = expected(*party.eager_header);
  if (party.keeps_header)
    judge.require(rule<"EFA-4.3-1">, stays, headers, want, actual(length),
                  "octets of headers: it kept their length as the peer asks, and has changed it");
  else
    judge.advise(rule<"EFA-4.3-1">, stays, headers, want, actual(length),
                 "octets of headers: the peer asks for a constant length; a sender that cannot comply may ignore that");
  if (stays && seen.packet.has(flag::kRawAddress) && state.knows_handshake(seen.sender(), seen.message))
    party.keeps_header = true;
}

}  // namespace

void judge_constant_header(Judge& judge, const SeenPacket& seen, TraceState& state) {
  constexpr std::size_t kCqData = 8;
  if (seen.layout.type != PacketType::eager_msgrtm) return;
  Party& party = state.party(seen.sender());
  const Party& peer = state.party(other(seen.sender()));
  const std::size_t length = seen.headers - (seen.packet.has(flag::kCqData) ? kCqData : 0);
  if (peer.announced(Extra::constant_header_length) && party.eager_header && state.partial().empty())
    judge_length(judge, seen, state, length);
  // A raw address that was missing before the HANDSHAKE is another fault.
  if (peer.handshake || seen.packet.has(flag::kRawAddress)) party.eager_header = length;
}

}  // namespace wirelaw::efa
