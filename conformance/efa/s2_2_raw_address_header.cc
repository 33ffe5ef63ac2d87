// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.2: when REQ packets have the raw address header.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

constinit const Rule kAddressBeforeHandshake{
    "EFA-2.2-1",       Level::must,
    Role::initiator,   "EFA RDM v4 2.2",
    Observable::trace, "Until the peer's HANDSHAKE has come, every REQ packet has the raw address header.",
    "A-31, A-40, A-45"};
constinit const Rule kNoAddressAfterHandshake{
    "EFA-2.2-2",
    Level::must_not,
    Role::initiator,
    "EFA RDM v4 2.2",
    Observable::trace,
    "Once the peer's HANDSHAKE has come, REQ packets have no raw address header, save where the peer asks for a "
    "constant header length.",
    "A-40"};
constinit const Rule kAddressInserted{
    "EFA-2.2-3",
    Level::must,
    Role::responder,
    "EFA RDM v4 2.2",
    Observable::api,
    "A receiver takes the address of a sender that it does not know from the raw address header, once.",
    "the address vector and the device's address handles are inside the receiver; that it answers at all, EFA-2.1-1 "
    "shows"};

RuleList s2_2_rules() {
  static constexpr const Rule* kRules[] = {&kAddressBeforeHandshake, &kNoAddressAfterHandshake, &kAddressInserted};
  return kRules;
}

void judge_raw_address_header(Judge& judge, const SeenPacket& seen, Conversation& conversation) {
  Party& party = conversation.party(seen.sender());
  const Party& peer = conversation.party(other(seen.sender()));
  const bool there = seen.packet.has(flag::kRawAddress);
  if (!peer.handshake) {
    if (!there && !party.bare_request)
      party.bare_request = Party::Early{seen.mark(), &seen.layout,
                                        party.packets == 0 && !(seen.layout.ordered() && seen.packet.msg_id != 0)};
    return;
  }
  if (!peer.extras_known || peer.announced(Extra::constant_header_length)) return;
  if (!conversation.knows_handshake(seen.sender(), seen.message)) return;
  require(judge, kNoAddressAfterHandshake, !there, seen, Field::raw_address_size, expected("no raw address header"),
          actual("one"), [&] {
            return fmt::format("the peer's HANDSHAKE was message {}, and it has no constant_header_length",
                               peer.handshake->index);
          });
}

void judge_early_requests(Judge& judge, Side side, bool handshake_came, Conversation& conversation) {
  const Party& party = conversation.party(side);
  const auto& bare = party.bare_request;
  // A flow that is seen from its start begins with a raw address; that its first packet of all has none is a fault
  // where the HANDSHAKE that answers it shows that it was the first.
  const bool of_the_start = conversation.complete() || (bare && bare->first && handshake_came);
  if (!party.first_request || !of_the_start) return;
  judge.at(marked(bare ? bare->mark : *party.first_request, side));
  const auto want = expected("REQ_OPT_RAW_ADDR_HDR, and a raw address");
  const auto why = [&] {
    return fmt::format("{} before {}", bare->layout->name,
                       handshake_came ? "the peer's HANDSHAKE" : "any HANDSHAKE of the peer that was seen");
  };
  if (handshake_came)
    judge.require(kAddressBeforeHandshake, !bare, octets(2, 2), want, actual("none"), why);
  else
    judge.advise(kAddressBeforeHandshake, !bare, octets(2, 2), want, actual("none"), why);
}

}  // namespace wirelaw::efa
