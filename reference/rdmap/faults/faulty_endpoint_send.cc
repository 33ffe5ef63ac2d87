// SPDX-License-Identifier: Apache-2.0
// Deviations in sending.
#include <algorithm>
#include <utility>

#include "reference/rdmap/atomics.h"
#include "reference/rdmap/faults/faulty_endpoint.h"

namespace wirelaw::rdmap {

using enum Deviation;

namespace {

constexpr std::size_t kAboveMulpdu = 512;
constexpr Octet kWrongOctet = 0xee;

bool is_immediate(Opcode opcode) {
  return opcode == Opcode::immediate_data || opcode == Opcode::immediate_data_se;
}

bool is_read(const InboundRead& read) {
  return !read.atomic;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------------- work

tl::expected<WorkId, PostError> FaultyEndpoint::post(Work&& work) {
  if (is_immediate(work.opcode) && deviates(immediate_seven_octets)) work.owned.pop_back();
  return Endpoint::post(std::move(work));
}

bool FaultyEndpoint::produce(OctetBuffer& out) {
  return !dead_ && (Endpoint::produce(out) || release_held(out));
}

std::size_t FaultyEndpoint::ord() const {
  return deviates(exceeds_ord) ? options_.max_work : Endpoint::ord();
}

bool FaultyEndpoint::begin_work(Work& work) {
  const std::size_t above = deviates(ulpdu_above_mulpdu) ? kAboveMulpdu : 0;
  mulpdu_ += above;
  const bool begun = Endpoint::begin_work(work);
  mulpdu_ -= above;
  return begun;
}

Octets FaultyEndpoint::payload_of(Work& work) {
  const Octets payload = Endpoint::payload_of(work);
  if (work.opcode == Opcode::read_request) {
    if (deviates(read_request_short)) scratch_.resize(scratch_.size() - 4);
    if (deviates(read_request_long)) scratch_.resize(scratch_.size() + 4);
    return scratch_;
  }
  if (work.opcode == Opcode::atomic_request) {
    if (!deviates(atomic_reserved_set)) return payload;
    AtomicRequest request = *decode_atomic_request(payload);
    request.reserved_and_opcode |= 0xfffffff0;
    scratch_.clear();
    encode(request, scratch_);
    return scratch_;
  }
  const bool cut = deviates(send_lost) && work.opcode != Opcode::write && !payload.empty();
  return cut ? payload.first(payload.size() - 1) : payload;
}

// ------------------------------------------------------------------------------------- answers to reads of the peer

bool FaultyEndpoint::begin_response() {
  if (deviates(responses_reordered) && inbound_.size() > 1) std::swap(inbound_[0], inbound_[1]);
  const InboundRead& read = inbound_.front();
  if (deviates(response_missing) ||
      (is_read(read) && read.request.size == 0 && deviates(zero_length_read_unanswered))) {
    unreadable_.erase(read.msn);
    inbound_.pop_front();
    return true;
  }
  return Endpoint::begin_response();
}

void FaultyEndpoint::begin_read_response(BufferAt sink, std::uint32_t size) {
  if (deviates(response_stag_wrong)) sink.stag ^= 1;
  if (deviates(response_to_wrong)) sink.to += 8;
  if (size == 0 && deviates(zero_length_stag_cleared)) sink.stag = 0;
  if (deviates(response_short) && size > 0) --size;
  if (deviates(response_long)) size += 4;
  Endpoint::begin_read_response(sink, size);
}

std::optional<std::uint64_t> FaultyEndpoint::perform(const InboundRead& read) {
  const AtomicRequest& operation = read.operation;
  const auto range = look(operation.stag, operation.to, kAtomicOctets, Use::remote_atomic);
  if (range.fault != BufferFault::none && unreadable_.contains(read.msn)) return 0;
  if (const auto seen = last_seen_.find(range.memory.data()); seen != last_seen_.end())
    store_native(range.memory.data(), seen->second);
  const std::optional<std::uint64_t> before = Endpoint::perform(read);
  if (!before) return std::nullopt;
  if (deviates(atomic_of_stale_word)) last_seen_[range.memory.data()] = load_native<std::uint64_t>(range.memory.data());
  if (deviates(atomic_not_applied)) store_native(range.memory.data(), *before);
  return deviates(atomic_value_wrong) ? apply(operation, *before) : *before;
}

void FaultyEndpoint::begin_atomic_response(const AtomicResponse& response) {
  AtomicResponse altered = response;
  if (deviates(atomic_identifier_wrong)) altered.request_identifier ^= 1;
  Endpoint::begin_atomic_response(altered);
}

bool FaultyEndpoint::read_source(std::uint32_t octets, Octets& payload) {
  InboundRead& read = inbound_.front();
  const std::uint32_t left = read.offender.read->size;
  const bool readable = octets <= left && !unreadable_.contains(read.msn);
  if (octets == 0 || (readable && !deviates(response_data_wrong))) return Endpoint::read_source(octets, payload);
  filler_.assign(std::max<std::size_t>(filler_.size(), octets), deviates(response_data_wrong) ? kWrongOctet : 0);
  payload = Octets(filler_).first(octets);
  read.advance(std::min(octets, left));
  return true;
}

void FaultyEndpoint::finish_message(OctetBuffer& out) {
  if (sending_ == Sending::work) {
    const bool ends_send = opcode_ == Opcode::send;
    Endpoint::finish_message(out);
    if (ends_send && deviates(response_unasked))
      send_segment({.header = header_of(Opcode::read_response, {1, 0})}, Opcode::read_response, {}, out);
    return;
  }
  InboundRead& read = inbound_.front();
  if (is_read(read) && opcode_ == Opcode::read_response && deviates(response_twice)) {
    read.offender.read = read.offender.original_read;
    if (std::exchange(answered_once_, read.msn) != read.msn) return;
    answered_once_.reset();
  }
  unreadable_.erase(read.msn);
  Endpoint::finish_message(out);
  place_delayed();
}

// --------------------------------------------------------------------------------------------------------------- FPDUs

std::uint32_t FaultyEndpoint::take_msn(std::uint32_t queue) {
  std::uint32_t& next = next_msn_[deviates(msn_shared) ? 0 : queue];
  const std::uint32_t msn = next;
  next += deviates(msn_skips) ? 2 : deviates(msn_repeats) ? 0 : 1;
  return msn;
}

void FaultyEndpoint::send_segment(const Segmenter::Piece& piece, Opcode opcode, Octets payload, OctetBuffer& out) {
  segment_index_ = piece.first ? 0 : segment_index_ + 1;
  OutgoingSegment segment{.header = piece.header,
                          .opcode = opcode,
                          .index = segment_index_,
                          .offset = piece.offset,
                          .msn = next_msn_[kSendQueue],
                          .extensions = options_.extensions};
  apply_faults(deviations_, segment);
  if (opcode == Opcode::send && segment.index == 0 && deviates(ulpdu_too_short)) {
    const OctetBuffer ten(10, 0x40);
    const Octets ulpdu(ten);
    send_fpdu({&ulpdu, 1}, out);
  }
  const bool ends_send = opcode == Opcode::send && piece.header.last && segment.index > 0;
  if (deviates(messages_interleaved) && ends_send && !held_) {
    held_ = Held{segment.header, OctetBuffer(payload.begin(), payload.end())};
    return;
  }
  if (deviates(zero_length_in_two) && payload.empty() && piece.header.last) {
    ddp::Header first = segment.header;
    first.last = false;
    frame(first, payload, out);
  }
  frame(segment.header, payload, out);
  if (segment.index == 0) release_held(out);
}

bool FaultyEndpoint::release_held(OctetBuffer& out) {
  if (!held_) return false;
  const Held held = *std::exchange(held_, std::nullopt);
  frame(held.header, held.payload, out);
  return true;
}

void FaultyEndpoint::send_fpdu(std::span<const Octets> ulpdu, OctetBuffer& out) {
  framer_->frame(ulpdu, out, framing_faults_);
}

void FaultyEndpoint::send_terminate(OctetBuffer& out) {
  const OctetBuffer message = *terminate_;
  Endpoint::send_terminate(out);
  terminate_sent_ = true;
  if (deviates(terminate_twice))
    send_segment({.header = header_of(Opcode::terminate)}, Opcode::terminate, message, out);
  if (deviates(sends_after_terminate))
    send_segment({.header = header_of(Opcode::write), .first = true}, Opcode::write, {}, out);
}

}  // namespace wirelaw::rdmap
