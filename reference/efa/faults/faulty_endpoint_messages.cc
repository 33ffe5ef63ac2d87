// SPDX-License-Identifier: Apache-2.0
// Faults in messages, in their order, and in matching them with receives.
#include "reference/efa/faults/faulty_endpoint.h"

namespace wirelaw::efa {
namespace {

using enum Deviation;

// dies-of-many-waiting
constexpr std::size_t kManyWaiting = 1000;

}  // namespace

// -------------------------------------------------------------------------------------------------------- the order

void FaultyEndpoint::on_ordered(Peer& peer, const Packet& packet) {
  const bool atomic = packet.layout()->purpose == Purpose::atomic;
  const bool any_order = atomic ? has(atomics_in_arrival_order) : has(delivers_in_arrival_order);
  if (any_order && !peer.messages.contains(packet.msg_id)) {
    static_cast<void>(take(peer, packet));
    return;
  }
  if (has(interleaving_not_tolerated)) give_up_segments(peer, packet.msg_id);
  Endpoint::on_ordered(peer, packet);
}

// Gives up medium messages that are incomplete.
void FaultyEndpoint::give_up_segments(Peer& peer, std::uint32_t but_of) {
  const auto messages = peer.messages;
  for (const auto& [msg_id, id] : messages) {
    Reception& op = *receptions_.find(id);
    if (msg_id != but_of && op.request->transfer == Transfer::medium && !is_whole(op)) end(op, Status::no_room);
  }
}

Reorder& FaultyEndpoint::order_of(Peer& peer) {
  return has(msg_ids_shared) ? peers_.begin()->second.order : Endpoint::order_of(peer);
}

void FaultyEndpoint::keep_for_its_turn(Peer& peer, const Packet& packet) {
  if (has(reorder_not_tolerated)) return;
  Endpoint::keep_for_its_turn(peer, packet);
  if (order_of(peer).packets() >= kManyWaiting) die_of(dies_of_many_waiting);
}

void FaultyEndpoint::on_repeated(Peer& peer, const Packet& packet) {
  const Layout& layout = *packet.layout();
  if (has(duplicates_delivered) && layout.transfer == Transfer::eager) static_cast<void>(take(peer, packet));
  if (has(atomics_repeated) && layout.purpose == Purpose::atomic) static_cast<void>(take_atomic(peer, packet));
  Endpoint::on_repeated(peer, packet);
}

bool FaultyEndpoint::take(Peer& peer, const Packet& packet) {
  OfPeer& of_peer = of_peer_[peer.id];
  if (has(wrap_not_tolerated) && peer.order.expected() == 0 && of_peer.taken) return false;
  const bool taken = Endpoint::take(peer, packet);
  of_peer.taken = of_peer.taken || taken;
  return taken;
}

// ----------------------------------------------------------------------------------------------------- one message

bool FaultyEndpoint::begin_message(Peer& peer, const Packet& packet) {
  const bool long_cts = packet.layout()->transfer == Transfer::long_cts && packet.payload.size() <= packet.msg_length;
  if (has(send_id_taken_once) && long_cts && !of_peer_[peer.id].long_ids.insert(packet.send_id).second) return true;
  return Endpoint::begin_message(peer, packet);
}

std::optional<PostedReceive> FaultyEndpoint::receive_for(const UnexpectedMessage& message) {
  return matcher_.arrive(message, has(tag_ignored));
}

bool FaultyEndpoint::take_first_data(Reception& op, std::uint64_t offset, Octets data) {
  if (has(unexpected_lost) && !op.matched) {
    end(op, Status::no_room);
    return true;
  }
  const Layout& layout = *op.request;
  const bool unasked = has(receipt_unasked) && layout.transfer == Transfer::eager && !layout.delivery_complete;
  const bool early = has(receipt_early) && !op.matched && layout.delivery_complete;
  if (unasked || early) send_receipt(*find_peer(op.peer), op.send_id, op.msg_id);
  return Endpoint::take_first_data(op, offset, data);
}

void FaultyEndpoint::truncate(Reception& op) {
  Endpoint::truncate(op);
  die_of(dies_of_truncation);
}

}  // namespace wirelaw::efa
