// SPDX-License-Identifier: Apache-2.0
// What every packet has in common: that it was sent, by whom, and when.
#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {

bool follow_broken(const Message& message, TraceState& state) {
  state.note_partial(message.is_cut() ? "the capture cuts packets inside their headers"
                                      : "a packet that does not hold all of its headers is not judged further");
  return !message.is_cut();
}

SenderFact sender_of(Side side, const TraceState& state) {
  const Party& party = state.party(side);
  SenderFact fact{.document = party.document, .connid = party.connid};
  if (party.raw_address)
    fact.gid = party.raw_address->gid;
  else if (const auto network = state.address(side))
    fact.gid = network->address.as_ipv6();
  return fact;
}

SeenPacket see(const Message& message, const Packet& packet, const Layout& layout, bool is_first, TraceState& state) {
  // A flow that is seen from its start begins with a REQ that has a raw address, and the first message ID; of a message
  // in segments, with the first. A HANDSHAKE answers something (2.1).
  if (is_first && layout.is_request() && packet.has(flag::kRawAddress) && !(layout.ordered() && packet.msg_id != 0) &&
      packet.seg_offset == 0)
    state.begin_at_start();
  if (packet.version != kVersion) state.note_partial("packets of another version may not have been answered");
  const auto same_before_ns = state.party(message.sender).recent.add(message);
  return {.message = message,
          .packet = packet,
          .layout = layout,
          .headers = message.octets.size() - packet.payload.size(),
          .doubled = same_before_ns.has_value(),
          .same_before_ns = same_before_ns};
}

void end_packet(const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const Mark mark = seen.mark();
  if (party.packets++ == 0) {
    party.first = mark;
    party.others_at_first = state.party(other(seen.sender())).packets;
  }
  party.latest = mark;
  if (!seen.layout.is_request())
    party.last_answer = mark;
  else if (!party.first_request)
    party.first_request = mark;
  state.note_latest(mark);
}

bool addresses_former(const SeenPacket& seen, TraceState& state) {
  Party& sender = state.party(seen.sender());
  unsigned& owed = sender.handshakes_owed;
  const auto connid = said_connid(seen.packet);
  if (connid && sender.connid && connid != sender.connid) return false;  // its sender may have been replaced too
  if (owed > 0 && seen.type() == PacketType::handshake) --owed;
  return owed > 0;
}

void expect_any_answer(const SeenPacket& seen, TraceState& state) {
  const bool has_id = seen.layout.find(Field::send_id) != nullptr || seen.layout.find(Field::recv_id) != nullptr;
  if (seen.layout.is_request() && has_id) state.begin(seen).contradict();
}

void pass_over(const SeenPacket& seen, TraceState& state) {
  // The receiver may also treat it as a packet of another endpoint (4.4).
  if (said_connid(seen.packet)) state.party(other(seen.sender())).counts_anew = true;
  if (seen.layout.ordered()) note_msg_id(seen, state);
  expect_any_answer(seen, state);
  if (seen.type() != PacketType::handshake)
    state.note_partial("a packet whose headers are out of place is not judged further");
}

}  // namespace wirelaw::efa
