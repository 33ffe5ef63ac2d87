// SPDX-License-Identifier: Apache-2.0
// Data that a receiver fetches by RDMA read (4.1, 4.5), the alternative if it cannot (4.7), and direct reads and writes
// (4.1, 4.6). The transport does the RDMA.
#include <algorithm>
#include <utility>

#include "reference/efa/endpoint.h"

namespace wirelaw::efa {
namespace {

// Calls see(remote, offset) for the pieces of [begin, end) of the memory in the iovs, each of at most `most` octets.
template <class See>
void for_each_piece(Octets iovs, std::uint64_t begin, std::uint64_t end, std::uint64_t most, See see) {
  std::uint64_t base = 0;
  for (std::size_t i = 0; i < rma_iov_count(iovs); ++i) {
    const RmaIov iov = rma_iov_at(iovs, i);
    std::uint64_t at = std::max(begin, base);
    const std::uint64_t until = std::min(end, base + iov.len);
    while (at < until) {
      const std::uint64_t octets = std::min(most, until - at);
      see(RmaIov{iov.addr + (at - base), octets, iov.key}, at);
      at += octets;
    }
    base += iov.len;
  }
}

}  // namespace

// Starts the reads, or sends a READ_NACK. May end the reception.
void Endpoint::read_or_nack(Reception& op) {
  if (op.reading || op.nacked) return;
  if (can_register(std::min(op.total, op.capacity))) return start_reads(op);
  if (!runt_is_whole(op)) return;
  Peer& peer = *find_peer(op.peer);
  if (!may_nack(peer)) return end(op, Status::failed);
  op.nacked = true;
  Packet packet = packet_of(PacketType::read_nack);
  put_answer_connid(packet);
  packet.send_id = op.send_id;
  packet.recv_id = op.id;
  emit(peer, packet);
  // A refused write arrives again as a new request (EFA/A-17).
  if (op.kind == Reception::Kind::write) end(op, Status::failed);
}

// 4.7: all RUNTREAD packets precede the READ_NACK.
bool Endpoint::runt_is_whole(const Reception& op) const {
  return op.coverage.octets() >= op.runt;
}

bool Endpoint::can_register(std::uint64_t octets) {
  return registrations_ < options_.registrations && (registrar_ == nullptr || registrar_->could_take(octets));
}

void Endpoint::start_reads(Reception& op) {
  op.reading = true;
  ++registrations_;
  const std::uint64_t end = std::min(op.total, op.capacity);
  for_each_piece(op.read_iov, op.runt, end, options_.max_rdma_octets, [&](const RmaIov& remote, std::uint64_t offset) {
    rdma_targets_[next_rdma_] = {.peer = op.peer, .reception = op.id, .offset = offset, .octets = remote.len};
    rdma_.push_back({.id = next_rdma_++, .peer = op.peer, .remote = remote});
    ++op.reads;
  });
  if (op.reads == 0) reads_ended(op);  // no octet to read fits the buffer
}

bool Endpoint::next_rdma(RdmaWork& out) {
  if (rdma_.empty()) return false;
  out = std::move(rdma_.front());
  rdma_.pop_front();
  return true;
}

void Endpoint::rdma_done(std::uint64_t id, bool ok, Octets octets, Instant now) {
  now_ = now;
  const auto found = rdma_targets_.find(id);
  if (found == rdma_targets_.end() || !responds()) return;
  const RdmaTarget target = found->second;
  rdma_targets_.erase(found);
  if (target.call) return direct_done(target, ok, octets);
  if (Reception* const op = receptions_.find(target.reception)) read_done(*op, target, ok, octets);
}

// Handles the end of one RDMA read for a message or a write.
void Endpoint::read_done(Reception& op, const RdmaTarget& target, bool ok, Octets octets) {
  if (!ok || octets.size() != target.octets || !accept(op, target.offset, octets)) op.status = Status::failed;
  if (--op.reads == 0) reads_ended(op);
}

void Endpoint::reads_ended(Reception& op) {
  op.reading = false;
  --registrations_;
  op.read_done = true;
  if (op.status == Status::failed) {
    give_up_read(op);
    return end(op, Status::failed);
  }
  // Octets that do not fit the buffer are not read.
  static_cast<void>(op.coverage.add(std::max(op.capacity, op.runt), op.total, options_.most_gaps));
  send_eor(op);
  progress(op);
}

void Endpoint::send_eor(const Reception& op) {
  Packet packet = packet_of(PacketType::eor);
  put_answer_connid(packet);
  packet.send_id = op.send_id;
  packet.recv_id = op.id;
  emit(*find_peer(op.peer), packet);
}

// --------------------------------------------------------------------------------------------- direct read and write

void Endpoint::start_direct(Peer& peer, Transmission& op) {
  const bool is_read = op.purpose == Purpose::read;
  const OperationId call = *std::exchange(op.call, std::nullopt);
  Direct& direct = direct_[call];
  if (is_read) direct.data.resize(static_cast<std::size_t>(op.total));
  for_each_piece(op.rma_iov, 0, op.total, options_.max_rdma_octets, [&](const RmaIov& remote, std::uint64_t offset) {
    RdmaWork work{.kind = is_read ? RdmaWork::Kind::read : RdmaWork::Kind::write,
                  .id = next_rdma_++,
                  .peer = peer.id,
                  .remote = remote};
    if (!is_read) {
      const auto begin = op.data.begin() + static_cast<std::ptrdiff_t>(offset);
      work.octets.assign(begin, begin + static_cast<std::ptrdiff_t>(remote.len));
      if (offset + remote.len == op.total) work.cq_data = op.cq_data;
    }
    rdma_targets_[work.id] = {.call = call, .kind = op.kind, .peer = peer.id, .offset = offset, .octets = remote.len};
    rdma_.push_back(std::move(work));
    ++direct.parts;
  });
  const bool nothing = direct.parts == 0;
  if (nothing) {
    direct_.erase(call);
    complete({.kind = op.kind, .id = call, .peer = peer.id});
  }
  end(op, Status::ok);
}

void Endpoint::direct_done(const RdmaTarget& target, bool ok, Octets octets) {
  Direct& direct = direct_.at(*target.call);
  const bool is_read = target.kind == Completion::Kind::read;
  direct.ok = direct.ok && ok && (!is_read || octets.size() == target.octets);
  if (direct.ok && is_read) std::ranges::copy(octets, direct.data.begin() + static_cast<std::ptrdiff_t>(target.offset));
  direct.length += target.octets;
  if (--direct.parts > 0) return;
  complete({.kind = target.kind,
            .id = *target.call,
            .peer = target.peer,
            .status = direct.ok ? Status::ok : Status::failed,
            .data = std::move(direct.data),
            .length = direct.length});
  direct_.erase(*target.call);
}

std::optional<Octets> Endpoint::rdma_read(const RmaIov& what) {
  const auto found = memory_.find(what, Access::read);
  if (!found) return std::nullopt;
  return Octets(*found);
}

bool Endpoint::rdma_written(PeerId from, const RmaIov& where, Octets octets, std::optional<std::uint64_t> cq_data) {
  const auto found = memory_.find(where, Access::write);
  if (!found || found->size() != octets.size()) return false;
  std::ranges::copy(octets, found->begin());
  if (cq_data) report_remote_write(from, octets.size(), *cq_data);
  return true;
}

// 3.3, 4.6: the responder's application gets a completion only for a write with CQ data.
void Endpoint::report_remote_write(PeerId from, std::uint64_t octets, std::uint64_t cq_data) {
  complete({.kind = Completion::Kind::remote_write, .peer = from, .length = octets, .cq_data = cq_data});
}

}  // namespace wirelaw::efa
