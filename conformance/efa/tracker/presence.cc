// SPDX-License-Identifier: Apache-2.0
// An endpoint has one connid, a random number, for life. An endpoint was there when a packet was sent, and nobody had
// replaced it, if it shows its connid long before the packet and again long after it: longer than anything is in
// transit (EFA/A-40).
#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {
namespace {

// Returns true if all packets of the sender with message IDs have had one connid, and the earlier packet with this ID
// was sent when the other side had shown its own.
bool is_of_one_sender(const SeenPacket& seen, const TraceState& state) {
  const Party& self = state.party(seen.sender());
  return self.has_one_connid && state.party(other(seen.sender())).shown_connid &&
         (!self.id_before_peer || static_cast<std::int32_t>(seen.packet.msg_id - *self.id_before_peer) > 0);
}

void find_awaited(PresenceFact& fact, const SeenPacket& seen, TraceState& state) {
  const std::size_t self = seen.sender() == Side::a ? 0 : 1, peer = 1 - self;
  const auto& own = state.showing(seen.sender()).first;
  const auto& announced = state.showing(other(seen.sender())).at_handshake;
  const auto& answer = state.party(seen.sender()).last_answer;
  const auto is_past = [&](std::int64_t time_ns) { return TraceState::is_past_transit(time_ns, fact.time_ns); };
  const bool is_another = own && fact.connid && *fact.connid != own->connid;
  if (is_another && is_past(own->time_ns)) fact.for_sender.emplace()[self] = own->connid;
  // It was sent after the only HANDSHAKE, which it contradicts.
  if (!announced || !is_past(announced->time_ns) || state.party(other(seen.sender())).handshakes != 1) return;
  fact.for_peer.emplace()[peer] = announced->connid;
  // The sender that has shown the connid for long has sent the answer itself.
  if (!own || !answer || !TraceState::is_past_transit(own->time_ns, answer->time_ns) || is_another) return;
  fact.for_either = fact.for_peer;
  (*fact.for_either)[self] = own->connid;
}

}  // namespace

PresenceFact follow_presence(const SeenPacket& seen, bool is_in_question, TraceState& state) {
  PresenceFact fact{.sender = seen.sender(),
                    .time_ns = seen.message.time_ns,
                    .connid = said_connid(seen.packet),
                    .beginnings = state.beginnings()};
  Party& self = state.party(seen.sender());
  Party& peer = state.party(other(seen.sender()));
  if (seen.layout.ordered()) {
    if (!self.connid_with_ids) self.connid_with_ids = fact.connid;
    self.has_one_connid = self.has_one_connid && fact.connid && fact.connid == self.connid_with_ids;
    fact.is_of_one_sender = is_in_question && is_of_one_sender(seen, state);
    fact.may_be_doubled = state.may_double() || seen.message.ip_version != 0;
  }
  if (is_in_question) find_awaited(fact, seen, state);
  if (!fact.connid) return fact;
  fact.is_kept = self.shown_connid == fact.connid;
  if (!fact.is_kept && peer.message_ids.any()) peer.id_before_peer = peer.message_ids.newest();
  self.shown_connid = fact.connid;
  TraceState::Showing& showing = state.showing(seen.sender());
  const TraceState::Shown shown{*fact.connid, fact.time_ns};
  if (!showing.first) showing.first = shown;
  showing.latest = shown;
  if (seen.type() == PacketType::handshake && self.handshakes == 1) showing.at_handshake = shown;
  return fact;
}

bool was_long_known(Side side, std::uint32_t connid, std::int64_t time_ns, TraceState& state) {
  const auto& first = state.showing(side).first;
  return first && first->connid == connid && TraceState::is_past_transit(first->time_ns, time_ns);
}

bool was_there(Side side, std::int64_t time_ns, TraceState& state) {
  const auto& latest = state.showing(side).latest;
  return latest && was_long_known(side, latest->connid, time_ns, state) &&
         TraceState::is_past_transit(time_ns, latest->time_ns);
}

}  // namespace wirelaw::efa
