// SPDX-License-Identifier: Apache-2.0
// RTM packets: messages in the order of their msg_id, matched with receives (3.2).
#include <algorithm>

#include "reference/efa/endpoint.h"

namespace wirelaw::efa {
namespace {

using enum Deviation;

// dies-of-many-waiting
constexpr std::size_t kManyWaiting = 1000;

// What an RTM packet says about its message.
struct MessageShape {
  std::uint64_t total = 0;
  std::uint64_t runt = 0;
  std::uint64_t offset = 0;  // of the packet's data
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

// Messages whose later REQ packets have the same msg_id: further segments, or the request that follows a READ_NACK.
bool comes_in_parts(const Layout& layout) {
  return layout.transfer == Transfer::medium || layout.behind == Array::read_iov;
}

}  // namespace

void Endpoint::on_ordered(Peer& peer, const Packet& packet) {
  using Turn = Reorder::Place;
  const bool any_order = packet.layout()->purpose == Purpose::atomic ? deviates(atomics_in_arrival_order)
                                                                     : deviates(delivers_in_arrival_order);
  if (any_order && !peer.messages.contains(packet.msg_id)) {
    static_cast<void>(take(peer, packet));
    return;
  }
  if (deviates(interleaving_not_tolerated)) give_up_segments(peer, packet.msg_id);
  Reorder& order = order_of(peer);
  switch (order.place(packet.msg_id)) {
    case Turn::next:
      if (!take(peer, packet)) return;
      order.advance();
      peer.wrapped = true;
      return take_what_waited(peer);
    case Turn::old:
      return continue_message(peer, packet);
    case Turn::outside:
      return drop(Drop::out_of_window);
    case Turn::ahead:
      break;
  }
  if (deviates(reorder_not_tolerated)) return;
  const Reorder::Kept kept = order.keep(packet.msg_id, encode(packet));
  if (deviates(dies_of_many_waiting) && order.packets() >= kManyWaiting) dead_ = true;
  if (kept == Reorder::Kept::duplicate) drop(Drop::duplicate);
  if (kept == Reorder::Kept::no_room) drop(Drop::no_room);
  watch_gap(peer);
}

Reorder& Endpoint::order_of(Peer& peer) {
  return deviates(msg_ids_shared) ? peers_.begin()->second.order : peer.order;
}

// Medium messages that are not whole.
void Endpoint::give_up_segments(Peer& peer, std::uint32_t but_of) {
  const auto messages = peer.messages;
  for (const auto& [msg_id, id] : messages) {
    Reception& op = *receptions_.find(id);
    if (msg_id != but_of && op.request->transfer == Transfer::medium && !op.whole()) end(op, Status::no_room);
  }
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

// A message or an atomic whose turn it is. False where there is no room for it: then its turn does not pass.
bool Endpoint::take(Peer& peer, const Packet& packet) {
  if (deviates(wrap_not_tolerated) && peer.order.expected() == 0 && peer.wrapped) return false;
  return packet.layout()->purpose == Purpose::atomic ? take_atomic(peer, packet) : begin_message(peer, packet);
}

bool Endpoint::begin_message(Peer& peer, const Packet& packet) {
  const Layout& layout = *packet.layout();
  const MessageShape shape = shape_of(packet, layout);
  if (!shape.consistent) {
    drop(Drop::contradicts);
    return true;
  }
  const bool long_cts = layout.transfer == Transfer::long_cts;
  if (long_cts && deviates(send_id_taken_once) && !peer.send_ids.insert(packet.send_id).second) return true;
  Reception* const op = begin_reception(peer, Reception::Kind::message, packet);
  if (op == nullptr) return false;
  op->msg_id = packet.msg_id;
  op->tag = packet.tag;
  op->total = shape.total;
  op->runt = shape.runt;
  const UnexpectedMessage message{peer.id, layout.tagged, packet.tag, op->id};
  const std::optional<PostedReceive> receive = matcher_.arrive(message, deviates(tag_ignored));
  if (receive) match(*op, *receive);
  if (comes_in_parts(layout)) peer.messages[packet.msg_id] = op->id;
  if (!receive && deviates(unexpected_lost)) {
    end(*op, Status::no_room);
    return true;
  }
  const Octets data = long_cts && deviates(request_data_lost) ? Octets{} : packet.payload;
  if (!accept(*op, shape.offset, data)) {
    end(*op, Status::no_room);
    return false;
  }
  if (deviates(receipt_unasked) && layout.transfer == Transfer::eager && !layout.delivery_complete)
    send_receipt(peer, op->send_id, op->msg_id);
  if (deviates(receipt_early) && !receive && layout.delivery_complete) send_receipt(peer, op->send_id, op->msg_id);
  progress(*op);
  return true;
}

// A packet of a message that has begun.
void Endpoint::continue_message(Peer& peer, const Packet& packet) {
  const Layout& layout = *packet.layout();
  const auto found = peer.messages.find(packet.msg_id);
  if (found == peer.messages.end() || layout.purpose != Purpose::message) {
    if (deviates(duplicates_delivered) && layout.transfer == Transfer::eager) static_cast<void>(take(peer, packet));
    if (deviates(atomics_repeated) && layout.purpose == Purpose::atomic) static_cast<void>(take_atomic(peer, packet));
    return drop(Drop::duplicate);
  }
  Reception& op = *receptions_.find(found->second);
  if (op.nacked && layout.transfer == Transfer::long_cts && layout.tagged == op.request->tagged)
    return continue_nacked(op, packet);
  if (&layout != op.request || layout.transfer == Transfer::long_read) return drop(Drop::duplicate);
  const MessageShape shape = shape_of(packet, layout);
  if (!shape.consistent || shape.total != op.total || shape.runt != op.runt) return drop(Drop::contradicts);
  if (accept(op, shape.offset, packet.payload)) progress(op);
}

// 4.7: the request carries no data; what has come in RUNTREAD packets counts.
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
  if (op.total > op.capacity) {
    op.status = Status::truncated;
    dead_ = dead_ || deviates(dies_of_truncation);
  }
  for (const Reception::Held& held : op.held) place(op, held.offset, held.octets);
  op.held = {};
  op.charge.release_all();
}

}  // namespace wirelaw::efa
