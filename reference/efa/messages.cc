// SPDX-License-Identifier: Apache-2.0
// RTM packets: accepts messages in the order of their msg_id, and matches them with receives (3.2).
#include <algorithm>

#include "reference/efa/endpoint.h"

namespace wirelaw::efa {
namespace {

// A message as its RTM packet declares it.
struct MessageShape {
  std::uint64_t total = 0;
  std::uint64_t runt = 0;
  std::uint64_t offset = 0;  // offset of the packet's data in the message
  bool consistent = true;
};

bool within(std::uint64_t offset, std::uint64_t octets, std::uint64_t total) {
  return offset <= total && octets <= total - offset;
}

MessageShape shape_of(const Packet& packet, const Layout& layout) {
  const std::uint64_t data = packet.payload.size();
  switch (layout.transfer) {
    case Transfer::eager:
      return {.total = data};
    case Transfer::medium:
      return {.total = packet.seg_length,
              .offset = packet.seg_offset,
              .consistent = within(packet.seg_offset, data, packet.seg_length)};
    case Transfer::long_cts:
      return {.total = packet.msg_length, .consistent = data <= packet.msg_length};
    case Transfer::long_read:
      return {.total = packet.msg_length, .consistent = total_length(packet.read_iov) == packet.msg_length};
    case Transfer::runting_read:
      return {.total = packet.msg_length,
              .runt = packet.runt_length,
              .offset = packet.seg_offset,
              .consistent = packet.runt_length <= packet.msg_length &&
                            within(packet.seg_offset, data, packet.runt_length) &&
                            total_length(packet.read_iov) == packet.msg_length};
    case Transfer::none:
      break;
  }
  return {.consistent = false};
}

// True if later REQ packets have the same msg_id: further segments, or the request that follows a READ_NACK.
bool comes_in_parts(const Layout& layout) {
  return layout.transfer == Transfer::medium || layout.behind == Array::read_iov;
}

}  // namespace

void Endpoint::on_ordered(Peer& peer, const Packet& packet) {
  using Turn = Reorder::Place;
  Reorder& order = order_of(peer);
  switch (order.place(packet.msg_id)) {
    case Turn::next:
      if (!take(peer, packet)) return;
      order.advance();
      return take_what_waited(peer);
    case Turn::old:
      return continue_message(peer, packet);
    case Turn::outside:
      return drop(Drop::out_of_window);
    case Turn::ahead:
      return keep_for_its_turn(peer, packet);
  }
}

void Endpoint::keep_for_its_turn(Peer& peer, const Packet& packet) {
  const Reorder::Kept kept = order_of(peer).keep(packet.msg_id, encode(packet));
  if (kept == Reorder::Kept::duplicate) drop(Drop::duplicate);
  if (kept == Reorder::Kept::no_room) drop(Drop::no_room);
  watch_gap(peer);
}

void Endpoint::take_what_waited(Peer& peer) {
  Reorder& order = order_of(peer);
  while (const std::optional<OctetBuffer> octets = order.take()) {
    const auto packet = decode(*octets);
    if (order.place(packet->msg_id) == Reorder::Place::old)
      continue_message(peer, *packet);
    else if (take(peer, *packet))
      order.advance();
  }
}

// Handles the next message or atomic in order. Returns false if there is no room for it: then it remains the next one.
bool Endpoint::take(Peer& peer, const Packet& packet) {
  return packet.layout()->purpose == Purpose::atomic ? take_atomic(peer, packet) : begin_message(peer, packet);
}

bool Endpoint::begin_message(Peer& peer, const Packet& packet) {
  const Layout& layout = *packet.layout();
  const MessageShape shape = shape_of(packet, layout);
  if (!shape.consistent) {
    drop(Drop::contradicts);
    return true;
  }
  Reception* const op = begin_reception(peer, Reception::Kind::message, packet);
  if (op == nullptr) return false;
  op->msg_id = packet.msg_id;
  op->tag = packet.tag;
  op->total = shape.total;
  op->runt = shape.runt;
  if (const auto receive = receive_for({peer.id, layout.tagged, packet.tag, op->id})) match(*op, *receive);
  if (comes_in_parts(layout)) peer.messages[packet.msg_id] = op->id;
  return take_first_data(*op, shape.offset, data_in(packet));
}

// Returns the receive that matches the message; nothing if it has to wait.
std::optional<PostedReceive> Endpoint::receive_for(const UnexpectedMessage& message) {
  return matcher_.arrive(message);
}

bool Endpoint::take_first_data(Reception& op, std::uint64_t offset, Octets data) {
  if (!accept(op, offset, data)) {
    end(op, Status::no_room);
    return false;
  }
  progress(op);
  return true;
}

// Handles a further packet of a message.
void Endpoint::continue_message(Peer& peer, const Packet& packet) {
  const Layout& layout = *packet.layout();
  const auto found = peer.messages.find(packet.msg_id);
  if (found == peer.messages.end() || layout.purpose != Purpose::message) return on_repeated(peer, packet);
  Reception& op = *receptions_.find(found->second);
  if (op.nacked && layout.transfer == Transfer::long_cts && layout.tagged == op.request->tagged)
    return continue_nacked(op, packet);
  if (&layout != op.request || layout.transfer == Transfer::long_read) return drop(Drop::duplicate);
  const MessageShape shape = shape_of(packet, layout);
  if (!shape.consistent || shape.total != op.total || shape.runt != op.runt) return drop(Drop::contradicts);
  if (accept(op, shape.offset, packet.payload)) progress(op);
}

// Ignores a message or an atomic that has been handled before.
void Endpoint::on_repeated(Peer&, const Packet&) {
  drop(Drop::duplicate);
}

// 4.7: the request carries no data; data from RUNTREAD packets is kept.
void Endpoint::continue_nacked(Reception& op, const Packet& packet) {
  if (packet.msg_length != op.total) return drop(Drop::contradicts);
  if (op.request->transfer == Transfer::long_cts) return drop(Drop::duplicate);
  op.request = packet.layout();
  op.send_id = packet.send_id;
  op.granted = op.coverage.octets();
  progress(op);
}

void Endpoint::match(Reception& op, const PostedReceive& receive) {
  op.matched = true;
  op.call = receive.id;
  op.capacity = receive.call.octets;
  op.buffer.resize(static_cast<std::size_t>(std::min(op.total, op.capacity)));
  if (op.total > op.capacity) truncate(op);
  for (const Reception::Held& held : op.held) place(op, held.offset, held.octets);
  op.held = {};
  op.charge.release_all();
}

// The message is longer than its receive: the application gets the octets that fit.
void Endpoint::truncate(Reception& op) {
  op.status = Status::truncated;
}

}  // namespace wirelaw::efa
