// SPDX-License-Identifier: Apache-2.0
// The responder of one-sided operations: RTW, RTR and RTA (3.3). The requester names memory, which is checked here.
#include <algorithm>

#include "reference/efa/endpoint.h"

namespace wirelaw::efa {
namespace {

AtomicCall call_of(const Packet& packet) {
  if (packet.is(PacketType::compare_rta)) return AtomicCall::compare;
  return packet.is(PacketType::fetch_rta) ? AtomicCall::fetch : AtomicCall::write;
}

}  // namespace

// Returns the memory that a request names, in the order of its buffers; nothing if the access is not allowed.
std::optional<Endpoint::Spans> Endpoint::find_memory(Octets iovs, std::uint64_t total, Access access) {
  return memory_.find_all(iovs, total, access);
}

void Endpoint::refuse_memory(const Packet&) {
  drop(Drop::contradicts);
}

// -------------------------------------------------------------------------------------------------- writes and reads

void Endpoint::on_eager_write(Peer& peer, const Packet& packet) {
  const auto spans = find_memory(packet.rma_iov, packet.payload.size(), Access::write);
  if (!spans) return refuse_memory(packet);
  place_write(packet, *spans);
  if (packet.has(flag::kCqData)) report_remote_write(peer.id, packet.payload.size(), packet.cq_data);
  if (packet.layout()->delivery_complete) send_receipt(peer, packet.send_id, 0);
}

void Endpoint::place_write(const Packet& packet, const Spans& spans) {
  scatter(spans, 0, packet.payload);
}

void Endpoint::on_long_write(Peer& peer, const Packet& packet) {
  if (peer.writes.contains(packet.send_id)) return drop(Drop::duplicate);
  if (!find_memory(packet.rma_iov, packet.msg_length, Access::write)) return refuse_memory(packet);
  const bool by_read = packet.layout()->behind == Array::read_iov;
  if (by_read ? total_length(packet.read_iov) != packet.msg_length : packet.payload.size() > packet.msg_length)
    return drop(Drop::contradicts);
  Reception* const op = begin_reception(peer, Reception::Kind::write, packet);
  if (op == nullptr) return;
  op->matched = true;
  op->total = op->capacity = packet.msg_length;
  peer.writes[packet.send_id] = op->id;
  if (!accept(*op, 0, data_in(packet))) return end(*op, Status::failed);
  progress(*op);
}

// Returns the data in a request; empty for a write that is read by RDMA.
Octets Endpoint::data_in(const Packet& request) const {
  const Layout& layout = *request.layout();
  return layout.purpose == Purpose::write && layout.behind == Array::read_iov ? Octets{} : request.payload;
}

void Endpoint::on_read_request(Peer& peer, const Packet& packet) {
  if (peer.reads.contains(packet.recv_id)) return drop(Drop::duplicate);
  if (!find_memory(packet.rma_iov, packet.msg_length, Access::read)) return refuse_memory(packet);
  const Layout& readrsp = describe(PacketType::readrsp);
  const bool short_read = packet.layout()->transfer == Transfer::eager;
  if (short_read ? packet.msg_length > options_.mtu - readrsp.header_octets
                 : packet.recv_length == 0 && packet.msg_length != 0)
    return drop(Drop::contradicts);
  if (!room_for_peers(transmissions_.size())) return drop(Drop::no_room);
  Transmission& op = *transmissions_.insert();
  ++peer.operations;
  op.peer = peer.id;
  op.kind = Completion::Kind::read;
  op.purpose = Purpose::read;
  op.response = true;
  op.request = &readrsp;
  op.stage = Stage::request;
  op.recv_id = packet.recv_id;
  op.has_recv_id = true;
  op.total = packet.msg_length;
  op.window_end = short_read ? op.total : std::min(op.total, packet.recv_length);
  op.rma_iov.assign(packet.rma_iov.begin(), packet.rma_iov.end());
  answer_read(peer, op);
}

void Endpoint::answer_read(Peer& peer, Transmission& op) {
  peer.reads[op.recv_id] = op.id;
  make_ready(op);
}

// ----------------------------------------------------------------------------------------------------------- atomics

// Atomics are done in the order of msg_id, like messages. An atomic that cannot be done is dropped, and the next msg_id
// is due.
bool Endpoint::take_atomic(Peer& peer, const Packet& packet) {
  const AtomicCall call = call_of(packet);
  const std::optional<std::uint64_t> total = total_length(packet.rma_iov);
  const AtomicOpInfo* const op = find_atomic_op(packet.atomic_op);
  const bool defined =
      op != nullptr && op->allowed_in(call) && atomic_defined(packet.atomic_op, packet.atomic_datatype);
  if (!defined || !total || *total > options_.mtu) {
    refuse_undefined_atomic(packet);
    return true;
  }
  const auto spans = find_memory(packet.rma_iov, *total, Access::read_write);
  if (!spans)
    refuse_memory(packet);
  else if (!operands_fit(packet, static_cast<std::size_t>(*total), *spans))
    refuse_operands(packet);
  else
    do_atomic(peer, packet, *spans);
  return true;
}

bool Endpoint::operands_fit(const Packet& packet, std::size_t octets, const Spans& spans) const {
  const AtomicCall call = call_of(packet);
  const std::size_t operands = needs_no_operand(packet) ? 0 : call == AtomicCall::compare ? 2 * octets : octets;
  const std::size_t size = find_datatype(packet.atomic_datatype)->octets;
  const bool whole_values = std::ranges::all_of(spans, [&](auto span) { return span.size() % size == 0; });
  const bool fits_answer =
      call == AtomicCall::write || octets <= options_.mtu - describe(PacketType::atomrsp).header_octets;
  return packet.payload.size() == operands && whole_values && fits_answer;
}

// True for FI_ATOMIC_READ, whose operand is optional.
bool Endpoint::needs_no_operand(const Packet& packet) const {
  return find_atomic_op(packet.atomic_op)->op == AtomicOp::atomic_read && packet.payload.empty();
}

void Endpoint::refuse_undefined_atomic(const Packet&) {
  drop(Drop::contradicts);
}

void Endpoint::refuse_operands(const Packet&) {
  drop(Drop::contradicts);
}

// Performs the atomic, and leaves the old values in scratch_.
void Endpoint::do_atomic(Peer& peer, const Packet& packet, const Spans& spans) {
  const bool compares = call_of(packet) == AtomicCall::compare;
  const std::size_t operand = compares ? packet.payload.size() / 2 : packet.payload.size();
  scratch_.clear();
  std::size_t at = 0;
  for (const std::span<Octet> span : spans) {
    const auto part = [&](Octets operands) { return operands.empty() ? operands : operands.subspan(at, span.size()); };
    // 3.3: `buf`, then `compare` (EFA/A-30).
    apply(packet, span, part(packet.payload.first(operand)), part(packet.payload.subspan(operand)));
    at += span.size();
  }
  if (answers_atomic(packet)) send_atomrsp(peer, packet);
  if (packet.layout()->delivery_complete) send_receipt(peer, packet.send_id, 0);
}

// Applies the operation to one of the buffers.
void Endpoint::apply(const Packet& packet, std::span<Octet> span, Octets buf, Octets compare) {
  scratch_.insert(scratch_.end(), span.begin(), span.end());
  apply_atomic(packet.atomic_op, packet.atomic_datatype, span, buf, compare);
}

// True for fetching atomics.
bool Endpoint::answers_atomic(const Packet& packet) const {
  return call_of(packet) != AtomicCall::write;
}

void Endpoint::send_atomrsp(Peer& peer, const Packet& request) {
  Packet packet = packet_of(PacketType::atomrsp);
  put_answer_connid(packet);
  packet.recv_id = request.recv_id;
  packet.seg_length = scratch_.size();
  packet.payload = scratch_;
  emit(peer, packet);
}

}  // namespace wirelaw::efa
