// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.1: when the HANDSHAKE is sent. Its format is in handshake_format.cc.
#include "conformance/efa/2.1-handshake/handshake.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "conformance/efa/1.4-raw-address/raw_address.h"
#include "conformance/efa/2.1-extra-features/extras.h"
#include "conformance/efa/2.1-handshake/rules.h"
#include "conformance/efa/2.2-raw-address-header/raw_address_header.h"
#include "conformance/efa/3.2-msg-id/msg_id.h"
#include "conformance/efa/4.8-user-recv-qp/user_recv_qp.h"

namespace wirelaw::efa {

namespace {

std::size_t digest(Octets octets) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(octets.data()), octets.size()});
}

// UDP may duplicate a packet, and that is not reported. A device does not duplicate. Later packets may show that the
// two endpoints have met again, so that another HANDSHAKE was due.
void judge_another(const Message& message, std::size_t octets_digest, TraceState& state) {
  const Party& party = state.party(message.sender);
  const bool doubled = (state.may_double() || message.ip_version != 0 || party.counts_anew) && party.handshakes == 2 &&
                       octets_digest == party.handshake_digest &&
                       !state.past_grace(*party.handshake, message, message.index - party.handshake->index);
  auto& all = state.handshakes_again();
  if (doubled || all.size() == TraceState::MeetingAgain::kMostHandshakes) return;
  all.push_back({message.sender,
                 {message.index, message.frame, message.time_ns, message.octets.size()},
                 party.handshake->index,
                 octets_digest == party.handshake_digest});
}

// The first of this side.
void judge_first(Judge& judge, const Message& message, TraceState& state) {
  const Party& party = state.party(message.sender);
  const Party& peer = state.party(other(message.sender));
  const OctetRange all = octets(0, message.octets.size());
  judge.advise(rule<"EFA-2.1-3">, true, all, expected("one"), actual(1));
  if (!peer.first) return;
  if (!state.from_start()) return state.note_latency(message.time_ns - peer.first->time_ns);
  if (peer.first_request)
    judge.require(rule<"EFA-2.1-1">, true, all, expected("a HANDSHAKE"), actual("one"));
  else
    judge.advise(rule<"EFA-2.1-2">, true, all, expected("a HANDSHAKE"), actual("one"));
  const std::uint64_t before = party.packets - std::min(party.packets, peer.others_at_first);
  judge.advise(rule<"EFA-2.1-4">, !state.past_grace(*peer.first, message, before), all,
               expected("before other packets"), actual([&] { return fmt::format("after {} of them", before); }), [&] {
                 return fmt::format("{} ms after message {}, the peer's first",
                                    (message.time_ns - peer.first->time_ns) / 1'000'000, peer.first->index + 1);
               });
  state.note_latency(message.time_ns - peer.first->time_ns);
}

}  // namespace

void note_handshake(Judge& judge, const Message& message, TraceState& state) {
  Party& party = state.party(message.sender);
  const Mark mark{message.index, message.frame, message.time_ns, message.octets.size()};
  note_greeting_again(message.sender, mark, state);
  note_greeting_of_new(message.sender, state);
  if (party.handshakes++ > 0) {
    party.greeted_again = mark;
    return judge_another(message, digest(message.octets), state);
  }
  party.handshake = mark;
  party.handshake_digest = digest(message.octets);
  party.packets_at_handshake = state.party(other(message.sender)).packets;
  judge_first(judge, message, state);
  const Side peer = other(message.sender);
  judge_early_requests(judge, peer, true, state);
  judge.at(message);
}

void advise_one_handshake(Judge& judge, std::span<const TraceState::MeetingAgain::Handshake> handshakes) {
  for (const auto& one : handshakes) {
    judge.at(marked(one.mark, one.side));
    judge.advise(rule<"EFA-2.1-3">, false, octets(0, one.mark.octets), expected("one"), actual("another"), [&] {
      return fmt::format("the first was message {}, {}", one.first + 1,
                         one.is_the_same ? "with the same octets" : "and had other contents");
    });
  }
}

void judge_handshake(Judge& judge, const SeenPacket& seen, TraceState& state) {
  judge_later_handshake(judge, seen, state);
  note_handshake(judge, seen.message, state);
  Party& party = state.party(seen.sender());
  if (seen.packet.nextra_p3 < 3) return;
  const std::uint64_t extras =
      seen.packet.extra_info.size() < 8 ? 0 : load_little_endian<std::uint64_t>(seen.packet.extra_info.data());
  if (party.handshakes == 1) {
    party.extras_known = true;
    party.extra_info = extras;
    party.has_user_recv_qp = seen.packet.has(flag::kUserRecvQp) && party.announced(Extra::user_recv_qp);
  } else if (extras != party.extra_info) {  // the peer uses the first one that it received
    party.extra_info |= extras;
    state.note_partial("a side has announced different features in two HANDSHAKEs");
  }
  for (const Side side : {Side::a, Side::b}) judge_early_extras(judge, side, state, false);
  judge.at(seen.message);
}

namespace {

// The side has sent no HANDSHAKE, though its peer has sent packets.
void judge_absence(Judge& judge, Side side, const TraceState& state) {
  const Party& silent = state.party(side);
  const Party& peer = state.party(other(side));
  if (silent.handshake || !peer.first) return;
  const bool asked = peer.first_request.has_value();
  const Rule& owed = asked ? rule<"EFA-2.1-1"> : rule<"EFA-2.1-2">;
  const Mark& since = asked ? *peer.first_request : *peer.first;
  const Mark& end = *state.latest();
  judge.at(unanswered(since, side));
  // If the peer has sent its HANDSHAKE, the capture covers the time of handshakes. A side that answers packets receives
  // them. A peer that leaves its raw address out has received the HANDSHAKE.
  const bool due = asked && peer.handshake && !peer.stopped_addresses && silent.last_answer &&
                   silent.last_answer->index > since.index;
  if (!(due && state.is_long_ago(since)) && !state.past_grace(since, end.time_ns, end.index - since.index))
    return judge.inconclusive(owed, "the flow ends soon after the packet that a HANDSHAKE answers");
  const auto want = expected("a HANDSHAKE");
  const auto why = [&] { return fmt::format("the peer's first was message {}", since.index + 1); };
  if (due)
    judge.require(owed, false, {}, want, actual("none, and other packets"), why);
  else
    judge.advise(owed, false, {}, want, actual(silent.packets > 0 ? "none" : "nothing at all: it may not be there"),
                 why);
}

}  // namespace

void finish_handshake(Judge& judge, TraceState& state) {
  advise_one_handshake(judge, std::exchange(state.handshakes_again(), {}));
  for (const Side side : {Side::a, Side::b}) {
    if (!state.party(side).handshake) judge_early_requests(judge, other(side), false, state);
    judge_early_extras(judge, other(side), state, true);
    finish_early_extras(judge, side, state);
    if (state.complete() && state.began_with_first_message()) judge_absence(judge, side, state);
  }
}

}  // namespace wirelaw::efa
