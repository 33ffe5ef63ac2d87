// SPDX-License-Identifier: Apache-2.0
// Faults of the responder of one-sided operations: the memory that it accesses, and what it does with it.
#include <algorithm>
#include <utility>

#include "reference/efa/faults/faulty_endpoint.h"

namespace wirelaw::efa {
namespace {

using enum Deviation;

constexpr std::uint64_t kWord = 8;  // writes-whole-words

}  // namespace

// ----------------------------------------------------------------------------------------------------------- memory

std::optional<Endpoint::Spans> FaultyEndpoint::find_memory(Octets iovs, std::uint64_t total, Access access) {
  auto spans = Endpoint::find_memory(iovs, total, access);
  if (!spans) spans = find_badly(iovs, total);
  if (spans && has(buffers_reversed)) std::ranges::reverse(*spans);
  return spans;
}

// Returns the memory that a faulty endpoint would access for these buffers.
std::optional<Endpoint::Spans> FaultyEndpoint::find_badly(Octets iovs, std::uint64_t total) {
  const bool any_key = has(key_ignored), any_part = has(bounds_ignored);
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

void FaultyEndpoint::refuse_memory(const Packet& request) {
  const Layout& layout = *request.layout();
  if (has(lengths_ignored) && layout.purpose == Purpose::write && layout.transfer == Transfer::eager)
    write_beyond(request);
  die_of(dies_of_bad_key);
  Endpoint::refuse_memory(request);
}

// Writes all data, or operands, from the beginning of the first buffer on.
void FaultyEndpoint::write_beyond(const Packet& packet) {
  if (packet.rma_iov.empty()) return;
  RmaIov iov = rma_iov_at(packet.rma_iov, 0);
  iov.len = packet.payload.size();
  scatter(Spans{memory_.part_of(iov, false)}, 0, packet.payload);
}

// -------------------------------------------------------------------------------------------------- writes and reads

void FaultyEndpoint::place_write(const Packet& packet, const Spans& spans) {
  if (!has(write_not_placed)) Endpoint::place_write(packet, spans);
  if (!has(writes_whole_words) || packet.rma_iov.empty()) return;
  const RmaIov iov = rma_iov_at(packet.rma_iov, 0);
  const std::uint64_t end = iov.addr + iov.len;
  std::ranges::fill(memory_.part_of({end, -end % kWord, iov.key}, false), Octet{0});
}

Octets FaultyEndpoint::data_in(const Packet& request) const {
  const bool lost = has(request_data_lost) && request.layout()->transfer == Transfer::long_cts;
  return lost ? Octets{} : Endpoint::data_in(request);
}

void FaultyEndpoint::answer_read(Peer& peer, Transmission& op) {
  if (has(reads_confused)) {
    const OctetBuffer asked = op.rma_iov;
    const OctetBuffer before = std::exchange(of_peer_[peer.id].last_read, asked);
    if (total_length(before) == op.total) op.rma_iov = before;
  }
  Endpoint::answer_read(peer, op);
}

// ---------------------------------------------------------------------------------------------------------- atomics

bool FaultyEndpoint::needs_no_operand(const Packet& packet) const {
  return !has(atomic_read_needs_operand) && Endpoint::needs_no_operand(packet);
}

void FaultyEndpoint::refuse_undefined_atomic(const Packet& packet) {
  if (has(atomic_undefined_done)) write_beyond(packet);
  Endpoint::refuse_undefined_atomic(packet);
}

void FaultyEndpoint::refuse_operands(const Packet& packet) {
  if (has(atomic_operands_beyond)) write_beyond(packet);
  Endpoint::refuse_operands(packet);
}

void FaultyEndpoint::apply(const Packet& packet, std::span<Octet> span, Octets buf, Octets compare) {
  if (has(atomic_compare_first) && packet.is(PacketType::compare_rta)) std::swap(buf, compare);
  Endpoint::apply(packet, span, buf, compare);
  if (has(atomic_done_twice)) apply_atomic(packet.atomic_op, packet.atomic_datatype, span, buf, compare);
  if (has(atomic_wrong_result)) std::ranges::copy(span, scratch_.end() - static_cast<std::ptrdiff_t>(span.size()));
}

bool FaultyEndpoint::answers_atomic(const Packet& packet) const {
  return has(atomrsp_to_write) || Endpoint::answers_atomic(packet);
}

}  // namespace wirelaw::efa
