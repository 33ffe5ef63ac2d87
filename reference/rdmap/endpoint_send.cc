// SPDX-License-Identifier: Apache-2.0
// What an endpoint sends, segment by segment as the transport fetches it: the work of the upper layer and the answers
// to the peer's reads, each in its order, message by message; and in the end perhaps a Terminate.
#include <algorithm>
#include <utility>

#include "reference/rdmap/atomics.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {

using enum Deviation;

// One more FPDU, or a step towards it. False where there is nothing to send now.
bool Endpoint::produce(OctetBuffer& out) {
  if (phase_ != Phase::operating || dead_) return false;
  if (terminate_) {
    send_terminate(out);
    return true;
  }
  if (failed_ || !may_send_ || ending_ != Ending::none) return false;
  if (segmenter_.done() && !begin_message()) {
    if (failed_) return true;
    if (!held_) return false;
    held_ = false;
    frame(held_header_, held_payload_, out);
    return true;
  }
  if (failed_ || segmenter_.done()) return true;
  const bool response = sending_ == Sending::response;
  const Segmenter::Piece piece = segmenter_.next();
  Octets payload;
  if (response && opcode_ == Opcode::read_response) {
    if (!read_source(piece.octets, payload)) return true;
  } else {
    payload = payload_.subspan(piece.offset, piece.octets);
  }
  send_segment(piece, opcode_, payload, out);
  if (segmenter_.done()) finish_message(out);
  return true;
}

bool Endpoint::begin_message() {
  segment_index_ = 0;
  Work* const work = work_.next(deviates(exceeds_ord) ? options_.max_work : agreement().depths.ord);
  const bool response = !inbound_.empty() && (work == nullptr || !response_was_last_);
  if (!response && work == nullptr) return false;
  response_was_last_ = response;
  return response ? begin_response() : begin_work(*work);
}

std::uint32_t Endpoint::take_msn(std::uint32_t queue) {
  std::uint32_t& next = next_msn_[deviates(msn_shared) ? 0 : queue];
  const std::uint32_t msn = next;
  next += deviates(msn_skips) ? 2 : deviates(msn_repeats) ? 0 : 1;
  return msn;
}

ddp::Header Endpoint::header_of(Opcode opcode, BufferAt at) {
  const OpcodeRow& row = *find_opcode(static_cast<std::uint8_t>(opcode));
  ddp::Header header{.tagged = row.tagged, .last = true, .rsvd_ulp = encode_control(control_of(opcode))};
  if (row.tagged) {
    header.stag = at.stag;
    header.to = at.to;
  } else {
    header.rsvd_ulp_rest = row.invalidate_stag ? at.stag : 0;
    header.qn = row.queue;
    header.msn = take_msn(row.queue);
  }
  return header;
}

bool Endpoint::begin_work(Work& work) {
  // What is found wrong now belongs to no message of the peer (RFC 5040, 7.1, case 1).
  if (work.awaits_response() && peer_ending_ != Ending::none) {
    fail(error::kMpaConnectionLost, nullptr, "the peer has closed the stream and cannot answer");
    return true;
  }
  const ReadRequest& read = work.read;
  if (work.opcode == Opcode::read_request && read.size > 0 &&
      buffers_.look(read.sink_stag, stream_, read.sink_to, read.size, Use::sink).fault != BufferFault::none) {
    fail(error::kLocalCatastrophic, nullptr, "the buffer that a read was to fill is gone");
    return true;
  }
  sending_ = Sending::work;
  opcode_ = work.opcode;
  payload_ = work.owned.empty() ? work.data : Octets(work.owned);
  scratch_.clear();
  if (work.opcode == Opcode::read_request) {
    encode(read, scratch_);
    if (deviates(read_request_short)) scratch_.resize(scratch_.size() - 4);
    if (deviates(read_request_long)) scratch_.resize(scratch_.size() + 4);
    payload_ = scratch_;
  } else if (work.opcode == Opcode::atomic_request) {
    work.atomic.request_identifier = static_cast<std::uint32_t>(work.id);
    AtomicRequest request = work.atomic;
    if (deviates(atomic_reserved_set)) request.reserved_and_opcode |= 0xfffffff0;
    encode(request, scratch_);
    payload_ = scratch_;
  } else if (deviates(send_lost) && find_opcode(static_cast<std::uint8_t>(opcode_))->queue == kSendQueue &&
             !payload_.empty() && opcode_ != Opcode::write) {
    payload_ = payload_.first(payload_.size() - 1);
  }
  const std::size_t room = mulpdu_ + (deviates(ulpdu_above_mulpdu) ? 512 : 0);
  segmenter_ = Segmenter(header_of(opcode_, work.remote), static_cast<std::uint32_t>(payload_.size()), room);
  return true;
}

// ------------------------------------------------------------------------------------- answers to reads of the peer

bool Endpoint::begin_response() {
  if (deviates(responses_reordered) && inbound_.size() > 1) std::swap(inbound_[0], inbound_[1]);
  InboundRead& read = inbound_.front();
  if (deviates(response_missing) || (!read.atomic && read.request.size == 0 && deviates(zero_length_read_unanswered))) {
    inbound_.pop_front();
    return true;
  }
  sending_ = Sending::response;
  scratch_.clear();
  if (read.atomic) {
    const AtomicRequest& operation = read.operation;
    const auto range = look(operation.stag, operation.to, kAtomicOctets, Use::remote_atomic);
    if (range.fault != BufferFault::none && !read.zeros) {
      fail(error::kInvalidStag, &read.offender, "the buffer of an atomic operation is gone");
      return true;
    }
    std::uint64_t value = 0;
    if (!range.memory.empty()) {
      // In the order of this machine (RFC 7306, 5.1.1).
      value = load_native<std::uint64_t>(range.memory.data());
      if (!deviates(atomic_not_applied)) store_native(range.memory.data(), apply(operation, value));
      if (deviates(atomic_value_wrong)) value = apply(operation, value);
    }
    encode(
        AtomicResponse{.request_identifier = operation.request_identifier ^ (deviates(atomic_identifier_wrong) ? 1 : 0),
                       .original_value = value},
        scratch_);
    payload_ = scratch_;
    opcode_ = Opcode::atomic_response;
    segmenter_ = Segmenter(header_of(opcode_), static_cast<std::uint32_t>(payload_.size()), mulpdu_);
    return true;
  }
  BufferAt sink{read.request.sink_stag, read.request.sink_to};
  if (deviates(response_stag_wrong)) sink.stag ^= 1;
  if (deviates(response_to_wrong)) sink.to += 8;
  std::uint32_t size = read.request.size;
  if (size == 0 && deviates(zero_length_stag_cleared)) sink.stag = 0;
  if (deviates(response_short) && size > 0) --size;
  if (deviates(response_long)) size += 4;
  opcode_ = Opcode::read_response;
  segmenter_ = Segmenter(header_of(opcode_, sink), size, mulpdu_);
  return true;
}

// The next octets of the buffer that the peer reads. The upper layer, or the peer itself, may have taken it away since
// the request came: then the request, as far as it is still open, is what the Terminate shows (RFC 5040, 4.8).
bool Endpoint::read_source(std::uint32_t octets, Octets& payload) {
  if (octets == 0) return true;
  InboundRead& read = inbound_.front();
  const ReadRequest& left = *read.offender.read;
  const bool beyond = octets > left.size;  // of a deviation
  if (read.zeros || beyond || deviates(response_data_wrong)) {
    zeros_.assign(std::max<std::size_t>(zeros_.size(), octets), deviates(response_data_wrong) ? 0xee : 0);
    payload = Octets(zeros_).first(octets);
  } else {
    const auto range = look(left.source_stag, left.source_to, octets, Use::remote_read);
    if (range.fault != BufferFault::none) {
      fail(error::kInvalidStag, &read.offender, "a buffer has gone while the peer was reading it");
      return false;
    }
    payload = range.memory;
  }
  read.advance(std::min(octets, left.size));
  return true;
}

void Endpoint::finish_message(OctetBuffer& out) {
  if (sending_ == Sending::work) {
    work_.handed_over();
    if (opcode_ == Opcode::send && deviates(response_unasked))
      send_segment({.header = header_of(Opcode::read_response, {1, 0})}, Opcode::read_response, {}, out);
  } else {
    if (deviates(response_twice) && !inbound_.front().atomic && opcode_ == Opcode::read_response) {
      InboundRead& read = inbound_.front();
      read.offender.read = read.offender.original_read;
      if (!std::exchange(read.again, true)) return;
    }
    inbound_.pop_front();
    for (const auto& [memory, octets] : delayed_) place(octets, memory);
    delayed_.clear();
  }
  sending_ = Sending::nothing;
}

// ----------------------------------------------------------------------------------------------------------------
// FPDUs

void Endpoint::frame(ddp::Header header, Octets payload, OctetBuffer& out) {
  head_.clear();
  ddp::encode(header, head_);
  const std::array<Octets, 2> parts{head_, payload};
  framer_->frame(parts, out, framing_faults_);
}

void Endpoint::send_segment(const Segmenter::Piece& piece, Opcode opcode, Octets payload, OctetBuffer& out) {
  OutgoingSegment segment{.header = piece.header,
                          .opcode = opcode,
                          .index = segment_index_++,
                          .offset = piece.offset,
                          .msn = next_msn_[kSendQueue]};
  apply_faults(deviations_, options_.extensions, segment);
  if (!deviations_.empty()) {
    if (opcode == Opcode::send && segment.index == 0 && deviates(ulpdu_too_short)) {
      const OctetBuffer ten(10, 0x40);
      framer_->frame(Octets(ten), out, framing_faults_);
    }
    const bool ends_send = opcode == Opcode::send && piece.header.last && segment.index > 0;
    if (deviates(messages_interleaved) && ends_send && !held_) {
      held_ = true;
      held_header_ = segment.header;
      held_payload_.assign(payload.begin(), payload.end());
      return;
    }
    if (deviates(zero_length_in_two) && payload.empty() && piece.header.last) {
      segment.header.last = false;
      frame(segment.header, payload, out);
      segment.header.last = true;
    }
  }
  frame(segment.header, payload, out);
  if (held_ && segment.index == 0) {
    held_ = false;
    frame(held_header_, held_payload_, out);
  }
}

void Endpoint::send_terminate(OctetBuffer& out) {
  const OctetBuffer message = std::move(*terminate_);
  terminate_.reset();
  segment_index_ = 0;
  for (int times = deviates(terminate_twice) ? 2 : 1; times > 0; --times)
    send_segment({.header = header_of(Opcode::terminate)}, Opcode::terminate, message, out);
  terminate_sent_ = true;
  if (deviates(sends_after_terminate)) {
    segment_index_ = 0;
    send_segment({.header = header_of(Opcode::write)}, Opcode::write, {}, out);
  }
}

// A zero-length Send, framed without regard to anything that has been agreed.
OctetBuffer Endpoint::stray_fpdu() const {
  OctetBuffer head;
  OctetBuffer out;
  ddp::encode({.last = true, .rsvd_ulp = encode_control(control_of(Opcode::send)), .msn = options_.first_msn}, head);
  mpa::Framer(false, true).frame(Octets(head), out);
  return out;
}

}  // namespace wirelaw::rdmap
