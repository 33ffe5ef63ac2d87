// SPDX-License-Identifier: Apache-2.0
// What peers answer to transmissions: CTS, EOR, RECEIPT and READ_NACK.
#include <algorithm>

#include "reference/efa/endpoint.h"

namespace wirelaw::efa {

// The transmission to this peer that send_id names; an ID from the wire is looked up, never believed.
Transmission* Endpoint::transmission_of(const Peer& peer, const Packet& packet) {
  Transmission* const op = transmissions_.find(packet.send_id);
  if (op == nullptr || op->peer != peer.id || op->stage == Stage::held) {
    drop(Drop::unknown_id);
    return nullptr;
  }
  op->last_progress = now_;
  return op;
}

// 3.2. A CTS that comes while a window is open begins a new window at the sender's position (EFA/A-24).
void Endpoint::on_cts(Peer& peer, const Packet& packet) {
  Transmission* const op = transmission_of(peer, packet);
  if (op == nullptr) return;
  if (op->stage != Stage::wait_cts && op->stage != Stage::data) return drop(Drop::unknown_id);
  const std::uint64_t window = window_of(*op, packet);
  if (window == 0) return drop(Drop::contradicts);
  // A response knows the requester's recv_id from its request.
  if (op->has_recv_id && op->recv_id != packet.recv_id) return drop(Drop::contradicts);
  op->has_recv_id = true;
  op->recv_id = packet.recv_id;
  op->window_end = op->sent + window;
  op->stage = Stage::data;
  make_ready(*op);
}

// How many octets the CTS lets go: a receiver may allow more than are left.
std::uint64_t Endpoint::window_of(const Transmission& op, const Packet& cts) {
  return std::min(cts.recv_length, op.total - op.sent);
}

void Endpoint::on_eor(Peer& peer, const Packet& packet) {
  Transmission* const op = transmission_of(peer, packet);
  if (op == nullptr) return;
  const bool runting = op->request->transfer == Transfer::runting_read;
  if (op->stage == Stage::request && runting && op->runt < op->total) {
    op->ended = true;  // the rest is read while RUNTREAD packets are still going out
    return;
  }
  if (op->stage != Stage::wait_eor) return drop(Drop::unknown_id);
  end(*op, Status::ok);
}

void Endpoint::on_receipt(Peer& peer, const Packet& packet) {
  Transmission* const op = transmission_of(peer, packet);
  if (op == nullptr) return;
  if (op->stage != Stage::wait_receipt) return drop(Drop::unknown_id);
  if (!confirms(*op, packet)) return drop(Drop::contradicts);
  end(*op, Status::ok);
}

// Writes have no msg_id, and deployed responders send 0 for atomics as well (EFA/A-46).
bool Endpoint::confirms(const Transmission& op, const Packet& receipt) const {
  return op.purpose != Purpose::message || receipt.msg_id == op.msg_id;
}

void Endpoint::on_read_nack(Peer& peer, const Packet& packet) {
  Transmission* const op = transmission_of(peer, packet);
  if (op == nullptr) return;
  if (op->stage != Stage::wait_eor) return drop(Drop::unknown_id);
  follow_nack(peer, *op);
}

void Endpoint::follow_nack(Peer& peer, Transmission& op) {
  release_buffer(op);
  // Delivery complete that the EOR alone would have shown is not to be had of a peer that has not announced it.
  const Choice choice =
      needs(peer, *find_request(op.purpose, Transfer::long_cts, op.tag.has_value(), op.delivery_complete));
  if (choice.status != Status::ok) return end(op, choice.status);
  begin_again(peer, op, *choice.request);
}

// 4.7: the same message goes by long-CTS, from after what RUNTREAD packets have carried (EFA/A-15, EFA/A-16).
void Endpoint::begin_again(Peer&, Transmission& op, const Layout& long_cts) {
  op.request = &long_cts;
  op.nacked = true;
  op.stage = Stage::request;
  make_ready(op);
}

}  // namespace wirelaw::efa
