// SPDX-License-Identifier: Apache-2.0
// Turns the application's calls into transmissions, or into waiting receives.
#include <utility>

#include "reference/efa/endpoint.h"

namespace wirelaw::efa {
namespace {

OctetBuffer encoded(const std::vector<RmaIov>& iovs) {
  OctetBuffer octets;
  octets.reserve(iovs.size() * layout::kRmaIov);
  for (const RmaIov& iov : iovs) encode(iov, octets);
  return octets;
}

}  // namespace

OperationId Endpoint::refuse(Completion::Kind kind, PeerId peer, Status status) {
  const OperationId id = calls_++;
  complete({.kind = kind, .id = id, .peer = peer, .status = status});
  return id;
}

// Returns nullptr if there is no room for it.
Transmission* Endpoint::begin_call(PeerId to, Completion::Kind kind, Purpose purpose) {
  if (!responds() || transmissions_.full()) return nullptr;
  Peer* const peer = make_peer(to);
  if (peer == nullptr) return nullptr;
  Transmission* const op = transmissions_.insert();
  op->peer = to;
  op->kind = kind;
  op->purpose = purpose;
  ++peer->operations;
  return op;
}

OperationId Endpoint::submit(Transmission& op) {
  const OperationId id = calls_++;
  op.call = id;
  watch(op);
  Peer& peer = *find_peer(op.peer);
  peer.held.push_back(op.id);
  start_held(peer);
  return id;
}

OperationId Endpoint::send(PeerId to, SendCall call, Instant now) {
  now_ = now;
  Transmission* const op = begin_call(to, Completion::Kind::send, Purpose::message);
  if (op == nullptr) return refuse(Completion::Kind::send, to, Status::no_room);
  op->data = std::move(call.data);
  op->total = op->data.size();
  op->tag = call.tag;
  op->cq_data = call.cq_data;
  op->delivery_complete = call.delivery_complete;
  op->transfer = call.transfer;
  return submit(*op);
}

OperationId Endpoint::write(PeerId to, WriteCall call, Instant now) {
  now_ = now;
  const OctetBuffer iovs = encoded(call.to);
  if (total_length(iovs) != call.data.size()) return refuse(Completion::Kind::write, to, Status::invalid);
  Transmission* const op = begin_call(to, Completion::Kind::write, Purpose::write);
  if (op == nullptr) return refuse(Completion::Kind::write, to, Status::no_room);
  op->data = std::move(call.data);
  op->total = op->data.size();
  op->rma_iov = iovs;
  op->cq_data = call.cq_data;
  op->delivery_complete = call.delivery_complete;
  op->transfer = call.transfer;
  op->direct = call.direct;
  return submit(*op);
}

OperationId Endpoint::read(PeerId to, ReadCall call, Instant now) {
  now_ = now;
  const OctetBuffer iovs = encoded(call.from);
  const std::optional<std::uint64_t> total = total_length(iovs);
  if (!total) return refuse(Completion::Kind::read, to, Status::invalid);
  Transmission* const op = begin_call(to, Completion::Kind::read, Purpose::read);
  if (op == nullptr) return refuse(Completion::Kind::read, to, Status::no_room);
  op->total = *total;
  op->rma_iov = iovs;
  op->transfer = call.transfer;
  op->direct = call.direct;
  return submit(*op);
}

OperationId Endpoint::atomic(PeerId to, AtomicRequest call, Instant now) {
  now_ = now;
  const OctetBuffer iovs = encoded(call.on);
  const auto op_number = static_cast<std::uint32_t>(call.op);
  const auto type_number = static_cast<std::uint32_t>(call.datatype);
  const std::optional<std::uint64_t> total = total_length(iovs);
  const bool reads_only = call.op == AtomicOp::atomic_read;
  if (!total || !atomic_defined(op_number, type_number) || !find_atomic_op(op_number)->allowed_in(call.call) ||
      *total % find_datatype(type_number)->octets != 0 || (call.operand.size() != *total && !reads_only) ||
      call.compare.size() != (call.call == AtomicCall::compare ? *total : 0))
    return refuse(Completion::Kind::atomic, to, Status::invalid);
  Transmission* const op = begin_call(to, Completion::Kind::atomic, Purpose::atomic);
  if (op == nullptr) return refuse(Completion::Kind::atomic, to, Status::no_room);
  op->data = std::move(call.operand);
  op->data.insert(op->data.end(), call.compare.begin(), call.compare.end());  // 3.3: buf, then compare (EFA/A-30)
  op->total = *total;
  op->rma_iov = iovs;
  op->atomic_call = call.call;
  op->atomic_op = op_number;
  op->atomic_datatype = type_number;
  op->delivery_complete = call.delivery_complete;
  return submit(*op);
}

OperationId Endpoint::post_receive(ReceiveCall call, Instant now) {
  now_ = now;
  const PostedReceive receive{calls_++, call};
  if (const std::optional<std::uint32_t> waiting = matcher_.post(receive)) {
    Reception& op = *receptions_.find(*waiting);
    match(op, receive);
    progress(op);
  }
  return receive.id;
}

}  // namespace wirelaw::efa
