// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.2: when REQ packets have the raw address header.
#include "conformance/efa/2.2-raw-address-header/raw_address_header.h"

#include <concepts>
#include <utility>

#include "conformance/efa/2.2-raw-address-header/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

// Evidence of a new meeting (EFA/A-87) may still come, so this is judged at the end of the flow, or when such evidence
// is ruled out.
template <std::invocable Why>
void hold_address_again(TraceState& state, Side side, const Mark& mark, const Why& why) {
  if (!state.address_again()) state.address_again() = {side, mark, why()};
}

// True if the packet's message ID continues the earlier ones: the two endpoints have not met again.
bool counts_on(const SeenPacket& seen, const Party& party) {
  const std::uint32_t ahead = seen.packet.msg_id - party.message_ids.newest();
  return seen.layout.ordered() && party.message_ids.any() && ahead != 0 && ahead < 0x8000'0000u;
}

bool is_later(std::uint32_t id, std::uint32_t than) {
  return id != than && id - than < 0x8000'0000u;
}

// A REQ with a raw address has a later msg_id than one without: its sender had received the HANDSHAKE before, wherever
// the packets were seen. Only a request that is one packet and waits for nothing shows when it was sent. Returns true
// if that is reported.
bool judge_return(Judge& judge, const SeenPacket& seen, TraceState& state, Party& party, bool there) {
  if (!seen.layout.ordered()) return false;
  Party::Addressed& known = party.addressed[seen.layout.purpose == Purpose::atomic ? 1 : 0];
  const std::uint32_t id = seen.packet.msg_id;
  if (there && (!known.with || is_later(id, *known.with))) {
    known.with = id;
    known.with_mark = seen.mark();
  }
  const bool telling = seen.layout.extras == 0 && seen.layout.transfer == Transfer::eager;
  if (!there && telling && (!known.without || is_later(*known.without, id))) known.without = id;
  if (!known.with || !known.without || !is_later(*known.with, *known.without)) return false;
  if (!there && !telling) return false;
  const auto why = [&] {
    return fmt::format("msg_id {}, which was sent before msg_id {}, has none", *known.without, *known.with);
  };
  if (there && counts_on(seen, party)) {
    judge.at(marked(known.with_mark, seen.sender()));
    judge.require(rule<"EFA-2.2-2">, false, {0, known.with_mark.octets}, expected("no raw address header"),
                  actual("one"), why);
    judge.at(seen.message);
  } else {
    hold_address_again(state, seen.sender(), known.with_mark, why);
  }
  known = {};
  return true;
}

}  // namespace

void judge_raw_address_header(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const Party& peer = state.party(other(seen.sender()));
  const bool there = seen.packet.has(flag::kRawAddress);
  const bool comes_back = there && party.stopped_addresses;
  if (!there) party.stopped_addresses = true;
  if (!peer.handshake) {
    if (!there && !party.bare_request) {
      // If the other side spoke first and did not begin a flow, the two may have met before the first packet.
      const bool may_have_met = seen.message.index > 0 && !state.from_start();
      const bool first = party.packets == 0 && !may_have_met && !(seen.layout.ordered() && seen.packet.msg_id != 0);
      party.bare_request = Party::Early{seen.mark(), &seen.layout, first, peer.packets};
    }
    return;
  }
  if (!peer.extras_known || peer.announced(Extra::constant_header_length) || party.counts_anew) return;
  if (state.partial().empty() && judge_return(judge, seen, state, party, there)) return;
  if (!state.knows_handshake(seen.sender(), seen.message)) return;
  const auto why = [&] {
    return fmt::format("the peer's HANDSHAKE was message {}, and it has no constant_header_length",
                       peer.handshake->index + 1);
  };
  if (comes_back && !counts_on(seen, party)) return hold_address_again(state, seen.sender(), seen.mark(), why);
  require(judge, rule<"EFA-2.2-2">, !there, seen, Field::raw_address_size, expected("no raw address header"),
          actual("one"), why);
}

void finish_address_again(Judge& judge, TraceState& state) {
  const auto address = std::exchange(state.address_again(), std::nullopt);
  if (!address) return;
  judge.at(marked(address->mark, address->side));
  judge.require(rule<"EFA-2.2-2">, false, {0, address->mark.octets}, expected("no raw address header"), actual("one"),
                address->why);
}

void judge_early_requests(Judge& judge, Side side, bool handshake_came, const TraceState& state) {
  const Party& party = state.party(side);
  const auto& bare = party.bare_request;
  // A flow that is seen from its start begins with a raw address. If its very first packet has none, that is a fault if
  // the HANDSHAKE that answers it shows that it was the first. That HANDSHAKE is the next packet of the other side,
  // since a later one may come from two endpoints that have met again (EFA/A-87).
  const bool is_answered = handshake_came && bare && bare->others == state.party(other(side)).packets;
  const bool of_the_start = state.complete() || (bare && bare->first && is_answered && !party.counts_anew);
  if (!party.first_request || !of_the_start) return;
  judge.at(marked(bare ? bare->mark : *party.first_request, side));
  const auto want = expected("REQ_OPT_RAW_ADDR_HDR, and a raw address");
  const auto why = [&] {
    return fmt::format("{} before {}", bare->layout->name,
                       handshake_came ? "the peer's HANDSHAKE, of which an earlier one may not have been captured"
                                      : "any HANDSHAKE of the peer that was seen");
  };
  if (handshake_came)
    judge.require(rule<"EFA-2.2-1">, !bare, octets(2, 2), want, actual("none"), why);
  else
    judge.advise(rule<"EFA-2.2-1">, !bare, octets(2, 2), want, actual("none"), why);
}

}  // namespace wirelaw::efa
