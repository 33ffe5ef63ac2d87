// SPDX-License-Identifier: Apache-2.0
// PEER_ERROR (4.10 of later documents): the side that cannot continue an operation gives it up, and the other side
// stops waiting for it.
#include "reference/efa/endpoint.h"
#include "reference/efa/peer_error.h"

namespace wirelaw::efa {

// ------------------------------------------------------------------------------------------------------------- out

// True if the peer has announced that it understands PEER_ERROR.
bool Endpoint::may_send_errors(const Peer& peer) const {
  return uses(peer, Extra::peer_error);
}

void Endpoint::send_peer_error(Peer& peer, RefKind kind, std::uint32_t op_id, std::uint32_t prov_errno) {
  if (!may_send_errors(peer)) return;
  Packet packet = packet_of(PacketType::peer_error);
  put_answer_connid(packet);
  packet.op_id = op_id;
  packet.ref_kind = static_cast<std::uint32_t>(kind);
  packet.prov_errno = prov_errno;
  emit(peer, packet);
}

// The data of a message could not be read: sends PEER_ERROR instead of the EOR. For a write nothing is sent.
void Endpoint::give_up_read(const Reception& op) {
  if (op.kind == Reception::Kind::message)
    send_peer_error(*find_peer(op.peer), RefKind::ope_index, op.send_id, cause::kBadAddress);
}

// The contents of a PEER_ERROR about a message that its sender gives up after sending a part; nothing if it must
// continue.
std::optional<Endpoint::GivingUp> Endpoint::giving_up(const Transmission& op) {
  const GivingUp by_id{RefKind::msg_id, op.msg_id};
  switch (op.request->transfer) {
    case Transfer::medium:
      if (op.stage == Stage::request) return by_id;
      break;
    case Transfer::runting_read:
      if (op.stage == Stage::request && op.runt == op.total) return by_id;
      break;  // the receiver finds out when it reads the rest
    case Transfer::long_cts:
      if (op.stage != Stage::request && op.stage != Stage::wait_cts && op.stage != Stage::data) break;
      if (op.has_recv_id) return GivingUp{RefKind::ope_index, op.recv_id};
      if (!op.nacked) return GivingUp{RefKind::msg_id_skip, op.msg_id};
      break;
    case Transfer::eager:
    case Transfer::long_read:
    case Transfer::none:
      break;
  }
  return std::nullopt;
}

bool Endpoint::give_up(OperationId send, Instant now) {
  now_ = now;
  Transmission* op = nullptr;
  transmissions_.for_each([&](Transmission& one) {
    if (one.call == send && one.purpose == Purpose::message) op = &one;
  });
  if (op == nullptr) return false;
  if (op->numbered) {
    const std::optional<GivingUp> said = giving_up(*op);
    if (!said) return false;
    send_peer_error(*find_peer(op->peer), said->kind, said->id, cause::kGivenUp);
  }
  end(*op, Status::cancelled);
  return true;
}

// -------------------------------------------------------------------------------------------------------------- in

void Endpoint::on_peer_error(Peer& peer, const Packet& packet) {
  switch (packet.ref_kind) {
    case static_cast<std::uint32_t>(RefKind::ope_index):
      return peer_gives_up_operation(peer, packet.op_id);
    case static_cast<std::uint32_t>(RefKind::msg_id):
    case static_cast<std::uint32_t>(RefKind::msg_id_skip):
      return peer_gives_up_message(peer, packet.op_id);
    default:
      return drop(Drop::contradicts);
  }
}

// Ends an operation of this endpoint that the peer reads, or one of the peer that uses CTS. The ID from the wire may be
// invalid.
void Endpoint::peer_gives_up_operation(Peer& peer, std::uint32_t id) {
  Transmission* const out = transmissions_.find(id);
  if (out != nullptr && out->peer == peer.id && out->purpose == Purpose::message && out->request != nullptr &&
      out->request->behind == Array::read_iov && (out->stage == Stage::wait_eor || out->stage == Stage::request))
    return end(*out, Status::given_up);
  Reception* const in = receptions_.find(id);
  if (in != nullptr && in->peer == peer.id && in->kind == Reception::Kind::message &&
      in->request->transfer == Transfer::long_cts && in->granted > 0)
    return end(*in, Status::given_up);
  drop(Drop::unknown_id);
}

// A message that has begun ends. One that has not begun is skipped, and its waiting packets are dropped.
void Endpoint::peer_gives_up_message(Peer& peer, std::uint32_t msg_id) {
  Reorder& order = order_of(peer);
  const Reorder::Place place = order.place(msg_id);
  if (place == Reorder::Place::outside) return drop(Drop::out_of_window);
  if (place != Reorder::Place::old) {
    if (!order.skip(msg_id)) return drop(Drop::no_room);
    return take_what_waited(peer);
  }
  Reception* begun = nullptr;
  receptions_.for_each([&](Reception& one) {
    const bool is_it = one.peer == peer.id && one.kind == Reception::Kind::message && one.msg_id == msg_id;
    if (is_it && (one.coverage.octets() < one.total || !one.matched)) begun = &one;
  });
  if (begun == nullptr) return drop(Drop::unknown_id);
  end(*begun, Status::given_up);
}

}  // namespace wirelaw::efa
