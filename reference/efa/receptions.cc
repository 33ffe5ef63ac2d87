// SPDX-License-Identifier: Apache-2.0
// Incoming data: its place, when to allow more, and when it is complete.
#include <algorithm>
#include <utility>

#include "reference/efa/endpoint.h"

namespace wirelaw::efa {
namespace {

// Memory for a kept segment in addition to its octets.
constexpr std::size_t kOverhead = 64;
// One operation in this many is reserved: peers cannot use it up.
constexpr std::size_t kReserve = 8;

bool within(std::uint64_t offset, std::uint64_t octets, std::uint64_t total) {
  return offset <= total && octets <= total - offset;
}

}  // namespace

bool Endpoint::room_for_peers(std::size_t open) const {
  return open < options_.max_operations - options_.max_operations / kReserve;
}

// Begins a reception for the peer; returns nullptr if there is no room.
Reception* Endpoint::begin_reception(Peer& peer, Reception::Kind kind, const Packet& packet) {
  if (!room_for_peers(receptions_.size())) {
    drop(Drop::no_room);
    return nullptr;
  }
  Reception* const op = receptions_.insert();
  ++peer.operations;
  op->peer = peer.id;
  op->kind = kind;
  op->request = packet.layout();
  op->send_id = packet.send_id;
  op->has_send_id = true;
  op->last_progress = now_;
  op->credit_request = packet.credit_request;
  if (packet.has(flag::kCqData)) op->cq_data = packet.cq_data;
  op->rma_iov.assign(packet.rma_iov.begin(), packet.rma_iov.end());
  op->read_iov.assign(packet.read_iov.begin(), packet.read_iov.end());
  return op;
}

// Accepts octets within the message. Returns false if there is no memory for them.
bool Endpoint::accept(Reception& op, std::uint64_t offset, Octets octets) {
  if (octets.empty()) return true;
  const std::uint64_t end = offset + octets.size();
  if (op.coverage.has(offset, end)) {
    drop(Drop::duplicate);
    return true;
  }
  const bool aside = op.kind == Reception::Kind::message && !op.matched;
  if ((aside && !op.charge.take(budget_, octets.size() + kOverhead)) ||
      !op.coverage.add(offset, end, options_.most_gaps)) {
    drop(Drop::no_room);
    return false;
  }
  op.last_progress = now_;
  if (!aside) return place(op, offset, octets);
  op.held.push_back({offset, OctetBuffer(octets.begin(), octets.end())});
  return true;
}

// Copies octets into the buffer, as far as they fit, or into registered memory. Returns false if that is deregistered.
bool Endpoint::place(Reception& op, std::uint64_t offset, Octets octets) {
  if (op.kind != Reception::Kind::write) {
    if (offset >= op.buffer.size()) return true;
    const std::size_t count = std::min(octets.size(), op.buffer.size() - static_cast<std::size_t>(offset));
    std::ranges::copy(octets.first(count), op.buffer.begin() + static_cast<std::ptrdiff_t>(offset));
    return true;
  }
  const auto spans = find_memory(op.rma_iov, op.total, Access::write);
  if (!spans) return false;
  return scatter(*spans, offset, octets);
}

bool Endpoint::scatter(std::span<const std::span<Octet>> spans, std::uint64_t offset, Octets octets) {
  for (const std::span<Octet> span : spans) {
    const std::uint64_t skip = std::min<std::uint64_t>(offset, span.size());
    const std::size_t count = std::min(octets.size(), span.size() - static_cast<std::size_t>(skip));
    std::ranges::copy(octets.first(count), span.begin() + static_cast<std::ptrdiff_t>(skip));
    octets = octets.subspan(count);
    offset -= skip;
  }
  return octets.empty();
}

// Takes the actions that the data so far requires. May end the reception.
void Endpoint::progress(Reception& op) {
  if (op.kind == Reception::Kind::message && !op.matched) {
    // Only an incomplete message is given up; a complete one waits for its receive.
    const bool coming = op.request->transfer == Transfer::medium ? !is_whole(op) : op.coverage.octets() < op.runt;
    if (coming)
      watch(op);
    else
      timers_.cancel(op.timer);
    return;
  }
  watch(op);
  const bool reads =
      op.request->transfer == Transfer::long_read || (op.request->behind == Array::read_iov && op.runt < op.total);
  if (reads && !op.read_done) return read_or_nack(op);
  if (is_whole(op)) return finish(op);
  if (op.request->transfer == Transfer::long_cts && op.has_send_id && window_is_used_up(op)) grant(op);
}

bool Endpoint::is_whole(const Reception& op) const {
  return op.coverage.octets() >= op.total;
}

// 3.2: if true, the next CTS is due.
bool Endpoint::window_is_used_up(const Reception& op) const {
  return op.coverage.octets() >= op.granted;
}

// The window that this endpoint has room for, whatever the sender requests (EFA/A-43).
std::uint64_t Endpoint::next_window(const Reception& op) const {
  return window_for(op.total - op.coverage.octets());
}

void Endpoint::grant(Reception& op) {
  Packet packet = packet_of(PacketType::cts);
  put_answer_connid(packet);
  if (op.kind == Reception::Kind::read) packet.flags |= flag::kCtsEmulatedRead;
  packet.send_id = op.send_id;
  packet.recv_id = op.id;
  packet.recv_length = next_window(op);
  op.granted = op.coverage.octets() + packet.recv_length;
  emit(*find_peer(op.peer), packet);
}

void Endpoint::finish(Reception& op) {
  if (op.request->delivery_complete)
    send_receipt(*find_peer(op.peer), op.send_id, op.kind == Reception::Kind::message ? op.msg_id : 0);
  end(op, op.status);
}

void Endpoint::send_receipt(Peer& peer, std::uint32_t send_id, std::uint32_t msg_id) {
  Packet packet = packet_of(PacketType::receipt);
  put_answer_connid(packet);
  packet.send_id = send_id;
  packet.msg_id = msg_id;
  emit(peer, packet);
}

void Endpoint::end(Reception& op, Status status) {
  using Kind = Completion::Kind;
  Peer& peer = *find_peer(op.peer);
  Completion completion{.peer = op.peer, .status = status, .data = std::move(op.buffer), .length = op.total};
  if (op.call) completion.id = *op.call;
  if (status != Status::ok && status != Status::truncated) completion.data.clear();
  if (op.kind == Reception::Kind::message) {
    completion.kind = Kind::receive;
    completion.cq_data = op.cq_data;
    if (op.request->tagged) completion.tag = op.tag;
    if (!op.matched) matcher_.forget(op.id);
    if (const auto found = peer.messages.find(op.msg_id); found != peer.messages.end() && found->second == op.id)
      peer.messages.erase(found);
  }
  if (op.kind == Reception::Kind::write) {
    if (status == Status::ok && op.cq_data) report_remote_write(op.peer, op.total, *op.cq_data);
    peer.writes.erase(op.send_id);
  }
  if (op.kind == Reception::Kind::read) completion.kind = Kind::read;
  if (op.kind == Reception::Kind::atomic) completion.kind = Kind::atomic;
  if (op.call) complete(std::move(completion));
  --peer.operations;
  if (op.reading) --registrations_;
  timers_.cancel(op.timer);
  receptions_.erase(op.id);
}

// ------------------------------------------------------------------------------------- CTSDATA, READRSP and ATOMRSP

Reception* Endpoint::reception_of(const Peer& peer, const Packet& packet) {
  Reception* const op = receptions_.find(packet.recv_id);
  if (op == nullptr || !may_send_to(peer, *op)) {
    drop(Drop::unknown_id);
    return nullptr;
  }
  return op;
}

// Checks that an ID from the wire names an operation to which this peer may send.
bool Endpoint::may_send_to(const Peer& peer, const Reception& op) const {
  return op.peer == peer.id;
}

void Endpoint::on_ctsdata(Peer& peer, const Packet& packet) {
  Reception* const op = reception_of(peer, packet);
  if (op == nullptr) return;
  if (op->request->transfer != Transfer::long_cts || op->granted == 0) return drop(Drop::unknown_id);
  if (packet.seg_length != packet.payload.size() || !within(packet.seg_offset, packet.payload.size(), op->total))
    return drop(Drop::contradicts);
  if (accept(*op, packet.seg_offset, packet.payload)) return progress(*op);
  if (op->kind == Reception::Kind::write) end(*op, Status::failed);
}

// EFA/A-26: a READRSP has the first data of a read, and the sender's ID for the CTS that follow.
void Endpoint::on_readrsp(Peer& peer, const Packet& packet) {
  Reception* const op = reception_of(peer, packet);
  if (op == nullptr) return;
  if (op->kind != Reception::Kind::read) return drop(Drop::unknown_id);
  if (op->has_send_id) return drop(Drop::duplicate);
  const bool short_read = op->request->transfer == Transfer::eager;
  if (packet.recv_length != packet.payload.size() || packet.payload.size() > op->total ||
      (short_read && packet.payload.size() != op->total))
    return drop(Drop::contradicts);
  op->send_id = packet.send_id;
  op->has_send_id = true;
  if (accept(*op, 0, packet.payload)) progress(*op);
}

void Endpoint::on_atomrsp(Peer& peer, const Packet& packet) {
  Reception* const op = reception_of(peer, packet);
  if (op == nullptr) return;
  if (op->kind != Reception::Kind::atomic) return drop(Drop::unknown_id);
  if (packet.seg_length != packet.payload.size() || packet.payload.size() != op->total) return drop(Drop::contradicts);
  if (accept(*op, 0, packet.payload)) progress(*op);
}

}  // namespace wirelaw::efa
