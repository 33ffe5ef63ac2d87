// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.1: when the HANDSHAKE is sent. Its format is in handshake_format.cc.
#include "conformance/efa/2.1-handshake/handshake.h"

#include "conformance/efa/2.1-handshake/rules.h"

namespace wirelaw::efa {

void check_handshake(Judge& judge, const Message& message, const HandshakeFact& fact) {
  const OctetRange all = octets(0, message.octets.size());
  judge.advise(rule<"EFA-2.1-3">, true, all, expected("one"), actual(1));
  if (!fact.first) return;
  if (fact.is_asked_for)
    judge.require(rule<"EFA-2.1-1">, true, all, expected("a HANDSHAKE"), actual("one"));
  else
    judge.advise(rule<"EFA-2.1-2">, true, all, expected("a HANDSHAKE"), actual("one"));
  judge.advise(rule<"EFA-2.1-4">, !fact.is_late, all, expected("before other packets"),
               actual([&] { return fmt::format("after {} of them", fact.packets); }), [&] {
                 return fmt::format("{} ms after message {}, the peer's first",
                                    (message.time_ns - fact.first->time_ns) / 1'000'000, fact.first->index + 1);
               });
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

// The side may have sent no HANDSHAKE, though its peer has sent packets.
void finish_handshake(Judge& judge, Side side, const TraceState& state) {
  if (!state.complete() || !state.began_with_first_message()) return;
  const Party& silent = state.party(side);
  const Party& peer = state.party(other(side));
  if (silent.handshake || !peer.first) return;
  const bool asked = peer.first_request.has_value();
  const Rule& owed = asked ? rule<"EFA-2.1-1"> : rule<"EFA-2.1-2">;
  const Mark& since = asked ? *peer.first_request : *peer.first;
  const Mark& end = *state.latest();
  judge.at(unanswered(since, side));
  // A side that answers packets receives them. If the peer has sent its HANDSHAKE, the capture covers the time of
  // handshakes. A peer that leaves its raw address out has received the HANDSHAKE.
  const bool answers = silent.last_answer && silent.last_answer->index > since.index;
  const bool due = asked && answers && peer.handshake && !peer.stopped_addresses;
  if (!(answers && state.is_long_ago(since)) && !state.past_grace(since, end.time_ns, end.index - since.index))
    return judge.inconclusive(owed, "the flow ends soon after the packet that a HANDSHAKE answers");
  const auto want = expected("a HANDSHAKE");
  const auto why = [&] { return fmt::format("the peer's first was message {}", since.index + 1); };
  if (due)
    judge.require(owed, false, {}, want, actual("none, and other packets"), why);
  else
    judge.advise(owed, false, {}, want, actual(silent.packets > 0 ? "none" : "nothing at all: it may not be there"),
                 why);
}

}  // namespace wirelaw::efa
