// SPDX-License-Identifier: Apache-2.0
// Faults in handling incoming data: its place, the CTS that allow more of it, its end, and RDMA reads.
#include <algorithm>

#include "reference/efa/faults/faulty_endpoint.h"

namespace wirelaw::efa {
namespace {

using enum Deviation;

constexpr std::uint64_t kCtsdata = 32;  // length of the header, with connid

}  // namespace

// ------------------------------------------------------------------------------------------------------- the octets

bool FaultyEndpoint::accept(Reception& op, std::uint64_t offset, Octets octets) {
  if (octets.empty()) return Endpoint::accept(op, offset, octets);
  if (has(offsets_ignored)) offset = std::min<std::uint64_t>(op.coverage.octets(), op.total - octets.size());
  const std::uint64_t end = offset + octets.size();
  const bool again = op.coverage.has(offset, end);
  const bool accepted = Endpoint::accept(op, offset, octets);
  if (has(counts_doubled) && again) of_reception_[op.id].imagined += octets.size();
  if (has(part_delivered) && accepted && !again && end == op.total) of_reception_[op.id].imagined = op.total;
  return accepted;
}

bool FaultyEndpoint::is_whole(const Reception& op) const {
  if (has(readrsp_ends_reads) && op.kind == Reception::Kind::read && op.has_send_id) return true;
  const auto found = of_reception_.find(op.id);
  const std::uint64_t imagined = found == of_reception_.end() ? 0 : found->second.imagined;
  return op.coverage.octets() + imagined >= op.total;
}

void FaultyEndpoint::finish(Reception& op) {
  if (has(whole_runt_lost) && op.request->behind == Array::read_iov && op.runt == op.total) return;
  Endpoint::finish(op);
}

void FaultyEndpoint::end(Reception& op, Status status) {
  of_reception_.erase(op.id);
  Endpoint::end(op, status);
}

// --------------------------------------------------------------------------------------------------------- windows

bool FaultyEndpoint::window_is_used_up(const Reception& op) const {
  return (has(cts_early) && op.granted != 0) || Endpoint::window_is_used_up(op);
}

std::uint64_t FaultyEndpoint::next_window(const Reception& op) const {
  const std::uint64_t window = Endpoint::next_window(op);
  if (!has(credit_request_obeyed) || op.kind == Reception::Kind::read) return window;
  return std::min(window, std::uint64_t{op.credit_request} * (options_.mtu - kCtsdata));
}

void FaultyEndpoint::grant(Reception& op) {
  std::size_t& windows = of_reception_[op.id].windows;
  if (has(cts_never) || (has(cts_not_again) && windows > 0) || next_window(op) == 0) return;
  if (has(one_long_message_at_a_time) && !is_alone(op)) return;
  ++windows;
  Endpoint::grant(op);
}

// True if no other reception has an open window.
bool FaultyEndpoint::is_alone(const Reception& op) {
  bool alone = true;
  receptions_.for_each([&](const Reception& one) { alone = alone && (&one == &op || one.granted == 0); });
  return alone;
}

// ------------------------------------------------------------------------------------ CTSDATA, READRSP and ATOMRSP

bool FaultyEndpoint::may_send_to(const Peer& peer, const Reception& op) const {
  return has(foreign_data_taken) || Endpoint::may_send_to(peer, op);
}

void FaultyEndpoint::on_ctsdata(Peer& peer, const Packet& packet) {
  const Reception* const op = receptions_.find(packet.recv_id);
  const bool early = op != nullptr && op->peer == peer.id && op->kind == Reception::Kind::read && !op->has_send_id &&
                     op->request->transfer == Transfer::long_cts;
  if (early) die_of(dies_of_data_before_readrsp);
  Endpoint::on_ctsdata(peer, packet);
}

void FaultyEndpoint::on_readrsp(Peer& peer, const Packet& packet) {
  if (!has(answers_lost)) Endpoint::on_readrsp(peer, packet);
}

void FaultyEndpoint::on_atomrsp(Peer& peer, const Packet& packet) {
  if (!has(answers_lost)) Endpoint::on_atomrsp(peer, packet);
}

// ------------------------------------------------------------------------------------------------------------- RDMA

bool FaultyEndpoint::runt_is_whole(const Reception& op) const {
  return has(nack_early) || Endpoint::runt_is_whole(op);
}

bool FaultyEndpoint::may_nack(const Peer& peer) const {
  return has(nack_not_announced) || Endpoint::may_nack(peer);
}

void FaultyEndpoint::start_reads(Reception& op) {
  if (has(eor_early)) Endpoint::send_eor(op);
  Endpoint::start_reads(op);
}

void FaultyEndpoint::send_eor(const Reception& op) {
  if (!has(eor_early)) Endpoint::send_eor(op);
}

void FaultyEndpoint::read_done(Reception& op, const RdmaTarget& target, bool ok, Octets octets) {
  if (!ok && has(dies_of_failed_read)) return die();
  Endpoint::read_done(op, target, ok, octets);
}

void FaultyEndpoint::report_remote_write(PeerId from, std::uint64_t octets, std::uint64_t cq_data) {
  if (!has(remote_write_untold)) Endpoint::report_remote_write(from, octets, cq_data);
}

bool FaultyEndpoint::may_send_errors(const Peer& peer) const {
  return (has(peer_error_unannounced) && peer.handshake_received) || Endpoint::may_send_errors(peer);
}

void FaultyEndpoint::give_up_read(const Reception& op) {
  if (!has(peer_error_missing)) Endpoint::give_up_read(op);
  if (has(peer_error_and_eor)) Endpoint::send_eor(op);
}

void FaultyEndpoint::on_peer_error(Peer& peer, const Packet& packet) {
  if (!has(peer_error_ignored)) Endpoint::on_peer_error(peer, packet);
}

}  // namespace wirelaw::efa
