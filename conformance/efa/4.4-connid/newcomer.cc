// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/4.4-connid/newcomer.h"

#include <utility>

#include "conformance/efa/4.4-connid/rules.h"

namespace wirelaw::efa {

bool is_ahead_of_newcomer(const SeenPacket& seen, const TraceState& state) {
  const Packet& packet = seen.packet;
  const Party& sender = state.party(seen.sender());
  if (!packet.has(flag::kConnid) || packet.has(flag::kRawAddress)) return false;
  if (!sender.connid || packet.connid == *sender.connid) return false;
  if (seen.type() == PacketType::handshake || state.is_met_as_new(seen.sender())) return false;
  return !state.from_start() || !seen.layout.is_request() || sender.is_ahead_with(packet.connid);
}

void note_ahead_of_newcomer(const SeenPacket& seen, TraceState& state) {
  Party& sender = state.party(seen.sender());
  if (sender.ahead_of_newcomer.size() < Party::kMostAhead)
    sender.ahead_of_newcomer.push_back({seen.mark(), seen.at(Field::connid), seen.packet.connid});
  // The other side may use its grant, or may ignore it.
  if (seen.type() == PacketType::cts) sender.note_stray_grant(seen.packet.recv_id);
  state.exchanges().each_recent([](Exchange& one) {
    if (!one.is_done()) one.contradict();
  });
}

bool disproves_newcomer(const SeenPacket& seen, const TraceState& state) {
  const Party& sender = state.party(seen.sender());
  return seen.packet.has(flag::kConnid) && seen.packet.connid == sender.connid &&
         TraceState::is_past_transit(sender.ahead_of_newcomer.back().mark.time_ns, seen.message.time_ns);
}

void finish_ahead_of_newcomer(Judge& judge, Side side, bool disproved, TraceState& state) {
  Party& sender = state.party(side);
  const auto all = std::exchange(sender.ahead_of_newcomer, {});
  const bool has_address = sender.raw_address.has_value();
  // If the flow was not seen from its start, the connid that came first may be the wrong one, or the newcomer's.
  const Rule& broken = has_address ? rule<"EFA-4.4-2"> : rule<"EFA-4.4-1">;
  for (const auto& [mark, where, connid] : all) {
    judge.at(marked(mark, side));
    if (disproved || (state.from_start() && state.is_stale(mark)))
      judge.require(broken, false, where, expected(hex(*sender.connid)), actual(hex(connid)),
                    has_address ? "the connid of the raw address is another one, and no HANDSHAKE has this one"
                                : "earlier packets have another one, and no HANDSHAKE has this one");
    else
      judge.inconclusive(broken, "another endpoint may have taken the sender's place");
  }
  if (!all.empty()) state.note_several_connids(side);
}

}  // namespace wirelaw::efa
