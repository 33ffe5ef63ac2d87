// SPDX-License-Identifier: Apache-2.0
// Handles the peer's answers to transmissions: CTS, EOR, RECEIPT and READ_NACK.
#include <algorithm>

#include "reference/efa/endpoint.h"

namespace wirelaw::efa {

// Returns the transmission to this peer with the packet's send_id; nullptr if there is none.
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
  // The request of a read gave the requester's recv_id.
  if (op->has_recv_id && op->recv_id != packet.recv_id) return drop(Drop::contradicts);
  op->has_recv_id = true;
  op->recv_id = packet.recv_id;
  op->window_end = op->sent + window;
  op->stage = Stage::data;
  make_ready(*op);
}

// The number of octets that the CTS allows; a receiver may allow more than are left.
std::uint64_t Endpoint::window_of(const Transmission& op, const Packet& cts) {
  return std::min(cts.recv_length, op.total - op.sent);
}

void Endpoint::on_eor(Peer& peer, const Packet& packet) {
  Transmission* const op = transmission_of(peer, packet);
  if (op == nullptr) return;
  const bool runting = op->request->transfer == Transfer::runting_read;
  if (op->stage == Stage::request && runting && op->runt < op->total) {
    op->ended = true;  // the peer has read the rest while RUNTREAD packets are still being sent
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
  // The EOR would have confirmed the delivery. A READ_NACK needs another subprotocol that confirms it, if the peer has
  // announced one.
  const Choice choice =
      needs(peer, *find_request(op.purpose, Transfer::long_cts, op.tag.has_value(), op.delivery_complete));
  if (choice.status != Status::ok) return end(op, choice.status);
  begin_again(peer, op, *choice.request);
}

// 4.7: sends the same message by long-CTS, after the octets that RUNTREAD packets have carried (EFA/A-15, EFA/A-16).
void Endpoint::begin_again(Peer&, Transmission& op, const Layout& long_cts) {
  op.request = &long_cts;
  op.nacked = true;
  op.stage = Stage::request;
  make_ready(op);
}

}  // namespace wirelaw::efa
