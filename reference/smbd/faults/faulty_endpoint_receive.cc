// SPDX-License-Identifier: Apache-2.0
// Deviations in receiving, in registered buffers, and in RDMA Reads and Writes.
#include <algorithm>
#include <utility>

#include "reference/smbd/faults/faulty_endpoint.h"

namespace wirelaw::smbd {

using enum Deviation;

namespace {

bool is_zero(Octets octets) {
  return std::ranges::all_of(octets, [](Octet one) { return one == 0; });
}

// Behaviour that rulings SMBD/A14 to SMBD/A16 and SMBD/A23 leave open.
bool is_odd(const DataTransfer& message, std::uint32_t left) {
  return (message.flags & ~flag::kResponseRequested) != 0 ||
         (message.is_empty() && message.remaining_data_length > 0) || (left > 0 && message.announced() > left);
}

// Computes the sums in 32 bits, so that they wrap.
bool holds_when_wrapped(const DataTransfer& message, Octets octets, std::uint32_t most) {
  const std::uint32_t end = message.data_offset + message.data_length;
  const std::uint32_t announced = message.data_length + message.remaining_data_length;
  return end <= octets.size() && announced <= most;
}

bool holds_when_signed(const DataTransfer& message, Octets octets, std::uint32_t most) {
  const auto number = [](std::uint32_t field) { return std::int64_t{static_cast<std::int32_t>(field)}; };
  return number(message.data_offset) + number(message.data_length) <= static_cast<std::int64_t>(octets.size()) &&
         number(message.data_length) + number(message.remaining_data_length) <= std::int64_t{most};
}

}  // namespace

std::optional<Reason> FaultyEndpoint::check_data(const DataTransfer& message, Octets octets) const {
  if (!is_zero(message.padding) && deviates(refuses_padding)) return Reason::data_not_aligned;
  if (!message.is_empty() && message.data_offset != kUsualDataOffset && deviates(refuses_unusual_offset))
    return Reason::data_not_aligned;
  if (!message.trailing.empty() && deviates(refuses_trailing_data)) return Reason::data_beyond_message;
  if (message.reserved != 0 && deviates(refuses_reserved_bits)) return Reason::message_too_short;
  if (message.is_empty() && deviates(refuses_empty_messages)) return Reason::message_too_short;
  const auto reason = Endpoint::check_data(message, octets);
  const bool of_sums = reason == Reason::data_beyond_message || reason == Reason::message_too_long_for_reassembly;
  if (of_sums && deviates(wraps_on_receipt) && holds_when_wrapped(message, octets, options_.max_fragmented_recv_size))
    return std::nullopt;
  if (of_sums && deviates(lengths_signed) && holds_when_signed(message, octets, options_.max_fragmented_recv_size))
    return std::nullopt;
  if (reason == Reason::data_beyond_message && deviates(offset_not_checked) &&
      std::uint64_t{message.data_length} + describe(MessageType::data_transfer).octets <= octets.size())
    return std::nullopt;
  return reason;
}

void FaultyEndpoint::account(const DataTransfer& message) {
  DataTransfer seen = message;
  if (deviates(ignores_requested_credits)) seen.credits_requested = credits_.target();
  if (deviates(ignores_granted_credits)) seen.credits_granted = 0;
  if (deviates(grant_replaces_credits) && seen.credits_granted > 0) send_credits_ = 0;
  Endpoint::account(seen);
  if (!deviates(no_empty_grant)) return;
  grant_wanted_ = false;
  grant_due_.reset();
}

void FaultyEndpoint::answer_keepalive() {
  if (!deviates(keepalive_unanswered)) Endpoint::answer_keepalive();
  if (!deviates(keepalive_answered_often)) return;
  constexpr int kMore = 7;
  for (int i = 0; i < kMore && send_credits_ > 2; ++i) put_stray({});
}

Octets FaultyEndpoint::data_of(const DataTransfer& message, Octets octets) const {
  if (!deviates(takes_data_from_24) || octets.size() < kUsualDataOffset) return Endpoint::data_of(message, octets);
  const Octets from = octets.subspan(kUsualDataOffset);
  return from.first(std::min<std::size_t>(message.data_length, from.size()));
}

void FaultyEndpoint::assemble(const DataTransfer& message, Octets data) {
  if (deviates(delivers_fragments)) return deliver(OctetBuffer(data.begin(), data.end()));
  if (deviates(hangs_on_odd_message) && is_odd(message, std::exchange(left_, message.remaining_data_length)))
    return hang();
  came_in_fragments_ = reassembly_.under_way();
  Endpoint::assemble(message, data);
}

void FaultyEndpoint::on_broken_fragments(Reason reason) {
  if (enforces(reason)) return Endpoint::on_broken_fragments(reason);
  deliver(reassembly_.take());
}

void FaultyEndpoint::deliver(OctetBuffer&& message) {
  if (deviates(delivers_nothing) || message.empty()) return;
  constexpr Octet kOfAnother = 0xee;
  if (deviates(begins_with_fragments) && !std::exchange(begun_with_fragments_, true))
    message.insert(message.begin(), kOfAnother);
  if (deviates(fragments_left_behind)) {
    const OctetBuffer before = std::exchange(left_behind_, came_in_fragments_ ? message : OctetBuffer{});
    message.insert(message.begin(), before.begin(), before.end());
  }
  Endpoint::deliver(std::move(message));
}

// --------------------------------------------------------------------------------------------------------------- RDMA

std::optional<std::vector<BufferDescriptorV1>> FaultyEndpoint::register_buffer(std::span<const std::span<Octet>> parts,
                                                                               Access access) {
  if (deviates(registers_every_access)) access = {.read = true, .write = true};
  auto descriptors = Endpoint::register_buffer(parts, access);
  if (!descriptors && deviates(register_error_hidden)) descriptors = std::vector<BufferDescriptorV1>(1);
  if (descriptors && deviates(descriptors_swapped)) std::ranges::reverse(*descriptors);
  if (descriptors && deviates(descriptor_token_wrong))
    for (BufferDescriptorV1& one : *descriptors) one.token ^= 0x100;
  if (descriptors && descriptors->size() > 1 && deviates(describes_first_part)) descriptors->resize(1);
  return descriptors;
}

bool FaultyEndpoint::deregister_buffer(std::span<const BufferDescriptorV1> descriptors) {
  return deviates(deregistered_stays) || Endpoint::deregister_buffer(descriptors);
}

void FaultyEndpoint::undo_registration(std::span<const BufferDescriptorV1> descriptors) {
  if (!deviates(failed_registration_stays)) Endpoint::undo_registration(descriptors);
}

tl::expected<std::vector<Piece>, TransferError> FaultyEndpoint::plan(std::span<const BufferDescriptorV1> remote,
                                                                     std::uint64_t offset, std::size_t octets) const {
  if (deviates(transfer_offset_ignored)) offset = 0;
  if (deviates(transfer_ignores_lengths) && !remote.empty() && octets > 0)
    return std::vector<Piece>{
        {.at = {remote.front().token, remote.front().offset + offset}, .length = static_cast<std::uint32_t>(octets)}};
  auto pieces =
      deviates(transfer_above_agreed) ? plan_transfer(remote, offset, octets) : Endpoint::plan(remote, offset, octets);
  if (pieces && deviates(transfer_other_token))
    for (Piece& one : *pieces) ++one.at.token;
  return pieces;
}

}  // namespace wirelaw::smbd
