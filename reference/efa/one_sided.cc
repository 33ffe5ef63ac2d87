// SPDX-License-Identifier: Apache-2.0
// The responder of one-sided operations: RTW, RTR and RTA (3.3). Memory is named by the requester and checked here.
#include <algorithm>

#include "reference/efa/endpoint.h"

namespace wirelaw::efa {
namespace {

using enum Deviation;

constexpr std::uint64_t kWord = 8;  // writes-whole-words

}  // namespace

void Endpoint::bad_memory() {
  dead_ = dead_ || deviates(dies_of_bad_key);
  drop(Drop::contradicts);
}

// The memory that a request names, in the order of its buffers; nothing where it may not.
std::optional<Endpoint::Spans> Endpoint::find_memory(Octets iovs, std::uint64_t total, Access access) {
  auto spans = memory_.find_all(iovs, total, access);
  if (deviations_.empty()) return spans;
  if (!spans) spans = find_badly(iovs, total);
  if (spans && deviates(buffers_reversed)) std::ranges::reverse(*spans);
  return spans;
}

// What an endpoint that does not look closely finds all the same.
std::optional<Endpoint::Spans> Endpoint::find_badly(Octets iovs, std::uint64_t total) {
  const bool any_key = deviates(key_ignored), any_part = deviates(bounds_ignored);
  if ((!any_key && !any_part) || total_length(iovs) != total) return std::nullopt;
  Spans spans;
  for (std::size_t i = 0; i < rma_iov_count(iovs); ++i) {
    const RmaIov iov = rma_iov_at(iovs, i);
    const std::span<Octet> part = memory_.part_of(iov, any_key);
    if (part.empty() || (part.size() != iov.len && !any_part)) return std::nullopt;
    spans.push_back(part);
  }
  return spans;
}

void Endpoint::on_eager_write(Peer& peer, const Packet& packet) {
  const auto spans = find_memory(packet.rma_iov, packet.payload.size(), Access::write);
  if (!spans && deviates(lengths_ignored)) write_beyond(packet);
  if (!spans) return bad_memory();
  if (!deviates(write_not_placed)) scatter(*spans, 0, packet.payload);
  if (deviates(writes_whole_words) && !packet.rma_iov.empty()) {
    const RmaIov iov = rma_iov_at(packet.rma_iov, 0);
    const std::uint64_t end = iov.addr + iov.len;
    std::ranges::fill(memory_.part_of({end, -end % kWord, iov.key}, false), Octet{0});
  }
  if (packet.has(flag::kCqData)) rdma_told(peer.id, packet.payload.size(), packet.cq_data);
  if (packet.layout()->delivery_complete) send_receipt(peer, packet.send_id, 0);
}

void Endpoint::on_long_write(Peer& peer, const Packet& packet) {
  if (peer.writes.contains(packet.send_id)) return drop(Drop::duplicate);
  if (!find_memory(packet.rma_iov, packet.msg_length, Access::write)) return bad_memory();
  const bool by_read = packet.layout()->behind == Array::read_iov;
  if (by_read ? total_length(packet.read_iov) != packet.msg_length : packet.payload.size() > packet.msg_length)
    return drop(Drop::contradicts);
  Reception* const op = begin_reception(peer, Reception::Kind::write, packet);
  if (op == nullptr) return;
  op->matched = true;
  op->total = op->capacity = packet.msg_length;
  peer.writes[packet.send_id] = op->id;
  if (!accept(*op, 0, by_read || deviates(request_data_lost) ? Octets{} : packet.payload))
    return end(*op, Status::failed);
  progress(*op);
}

void Endpoint::on_read_request(Peer& peer, const Packet& packet) {
  if (peer.reads.contains(packet.recv_id)) return drop(Drop::duplicate);
  if (!find_memory(packet.rma_iov, packet.msg_length, Access::read)) return bad_memory();
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
  if (deviates(reads_confused)) {
    std::swap(op.rma_iov, peer.last_read);
    if (total_length(op.rma_iov) != op.total) op.rma_iov = peer.last_read;
    peer.last_read.assign(packet.rma_iov.begin(), packet.rma_iov.end());
  }
  peer.reads[packet.recv_id] = op.id;
  make_ready(op);
}

// In the order of msg_id, like a message. An atomic that cannot be done is passed over, and has had its turn.
bool Endpoint::take_atomic(Peer& peer, const Packet& packet) {
  const PacketType type{packet.type};
  const AtomicCall call = type == PacketType::compare_rta ? AtomicCall::compare
                          : type == PacketType::fetch_rta ? AtomicCall::fetch
                                                          : AtomicCall::write;
  const AtomicOpInfo* const op = find_atomic_op(packet.atomic_op);
  const std::optional<std::uint64_t> total = total_length(packet.rma_iov);
  if (op == nullptr || !op->allowed_in(call) || !atomic_defined(packet.atomic_op, packet.atomic_datatype) || !total ||
      *total > options_.mtu) {
    if (deviates(atomic_undefined_done)) write_beyond(packet);
    drop(Drop::contradicts);
    return true;
  }
  const auto octets = static_cast<std::size_t>(*total);
  const bool reads_only =
      op->op == AtomicOp::atomic_read && packet.payload.empty() && !deviates(atomic_read_needs_operand);
  const std::size_t operands = reads_only ? 0 : call == AtomicCall::compare ? 2 * octets : octets;
  const auto spans = find_memory(packet.rma_iov, *total, Access::read_write);
  if (!spans) {
    bad_memory();
    return true;
  }
  const std::size_t size = find_datatype(packet.atomic_datatype)->octets;
  const bool whole_values = std::ranges::all_of(*spans, [&](auto span) { return span.size() % size == 0; });
  const bool answered = call != AtomicCall::write;
  if (packet.payload.size() != operands || !whole_values ||
      (answered && octets > options_.mtu - describe(PacketType::atomrsp).header_octets)) {
    if (deviates(atomic_operands_beyond)) write_beyond(packet);
    drop(Drop::contradicts);
    return true;
  }
  apply(packet, call, *spans);
  if (answered || deviates(atomrsp_to_write)) send_atomrsp(peer, packet);
  if (packet.layout()->delivery_complete) send_receipt(peer, packet.send_id, 0);
  return true;
}

// All data, or operands, from the beginning of the first buffer on.
void Endpoint::write_beyond(const Packet& packet) {
  if (packet.rma_iov.empty()) return;
  RmaIov iov = rma_iov_at(packet.rma_iov, 0);
  iov.len = packet.payload.size();
  scatter(Spans{memory_.part_of(iov, false)}, 0, packet.payload);
}

// Leaves the values before the operation in scratch_.
void Endpoint::apply(const Packet& packet, AtomicCall call, std::span<const std::span<Octet>> spans) {
  const std::size_t operand = call == AtomicCall::compare ? packet.payload.size() / 2 : packet.payload.size();
  scratch_.clear();
  std::size_t at = 0;
  for (const std::span<Octet> span : spans) {
    const auto part = [&](Octets operands) { return operands.empty() ? operands : operands.subspan(at, span.size()); };
    Octets buf = part(packet.payload.first(operand)), compare = part(packet.payload.subspan(operand));
    if (call == AtomicCall::compare && deviates(atomic_compare_first)) std::swap(buf, compare);
    scratch_.insert(scratch_.end(), span.begin(), span.end());
    for (int times = deviates(atomic_done_twice) ? 2 : 1; times > 0; --times)
      apply_atomic(packet.atomic_op, packet.atomic_datatype, span, buf, compare);
    if (deviates(atomic_wrong_result))
      std::ranges::copy(span, scratch_.end() - static_cast<std::ptrdiff_t>(span.size()));
    at += span.size();
  }
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
