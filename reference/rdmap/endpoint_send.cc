// SPDX-License-Identifier: Apache-2.0
// The endpoint sends one segment whenever the transport asks for octets: the work of the upper layer and the answers to
// the peer's reads, each in order, message by message, and possibly a Terminate at the end.
#include <algorithm>
#include <utility>

#include "reference/rdmap/atomics.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {

bool Endpoint::produce(OctetBuffer& out) {
  if (phase_ != Phase::operating) return false;
  if (terminate_) {
    send_terminate(out);
    return true;
  }
  if (failed_ || !may_send_ || ending_ != Ending::none) return false;
  if (segmenter_.done() && !begin_message()) return failed_;
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

std::size_t Endpoint::ord() const {
  return agreement().depths.ord;
}

bool Endpoint::begin_message() {
  Work* const work = work_.next(ord());
  // Work and answers take turns, but nothing precedes the ready-to-receive message (RFC 6581, 5).
  const bool is_ready_to_receive = work != nullptr && work->internal;
  const bool response = !inbound_.empty() && (work == nullptr || !response_was_last_) && !is_ready_to_receive;
  if (!response && work == nullptr) return false;
  response_was_last_ = response;
  return response ? begin_response() : begin_work(*work);
}

std::uint32_t Endpoint::take_msn(std::uint32_t queue) {
  return next_msn_[queue]++;
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
  // The error was not caused by a message of the peer (RFC 5040, 7.1, case 1).
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
  payload_ = payload_of(work);
  segmenter_ = Segmenter(header_of(opcode_, work.remote), static_cast<std::uint32_t>(payload_.size()), mulpdu_);
  return true;
}

Octets Endpoint::payload_of(Work& work) {
  scratch_.clear();
  if (work.opcode == Opcode::read_request) {
    encode(work.read, scratch_);
    return scratch_;
  }
  if (work.opcode == Opcode::atomic_request) {
    work.atomic.request_identifier = static_cast<std::uint32_t>(work.id);
    encode(work.atomic, scratch_);
    return scratch_;
  }
  return work.owned.empty() ? work.data : Octets(work.owned);
}

// ------------------------------------------------------------------------------------- answers to reads of the peer

bool Endpoint::begin_response() {
  sending_ = Sending::response;
  const InboundRead& read = inbound_.front();
  if (!read.atomic) {
    begin_read_response({read.request.sink_stag, read.request.sink_to}, read.request.size);
  } else if (const auto value = perform(read)) {
    begin_atomic_response({.request_identifier = read.operation.request_identifier, .original_value = *value});
  }
  return true;
}

void Endpoint::begin_read_response(BufferAt sink, std::uint32_t size) {
  opcode_ = Opcode::read_response;
  segmenter_ = Segmenter(header_of(opcode_, sink), size, mulpdu_);
}

// Performed in this machine's byte order (RFC 7306, 5.1.1).
std::optional<std::uint64_t> Endpoint::perform(const InboundRead& read) {
  const AtomicRequest& operation = read.operation;
  const auto range = look(operation.stag, operation.to, kAtomicOctets, Use::remote_atomic);
  if (range.fault != BufferFault::none) {
    fail(error::kInvalidStag, &read.offender, "the buffer of an atomic operation is gone");
    return std::nullopt;
  }
  const auto value = load_native<std::uint64_t>(range.memory.data());
  store_native(range.memory.data(), apply(operation, value));
  return value;
}

void Endpoint::begin_atomic_response(const AtomicResponse& response) {
  scratch_.clear();
  encode(response, scratch_);
  payload_ = scratch_;
  opcode_ = Opcode::atomic_response;
  segmenter_ = Segmenter(header_of(opcode_), static_cast<std::uint32_t>(payload_.size()), mulpdu_);
}

// Returns the next octets of the buffer that the peer reads. The upper layer, or the peer itself, may have removed the
// buffer since the request: then the Terminate contains the unanswered part of the request (RFC 5040, 4.8).
bool Endpoint::read_source(std::uint32_t octets, Octets& payload) {
  if (octets == 0) return true;
  InboundRead& read = inbound_.front();
  const ReadRequest& left = *read.offender.read;
  const auto range = look(left.source_stag, left.source_to, octets, Use::remote_read);
  if (range.fault != BufferFault::none) {
    fail(error::kInvalidStag, &read.offender, "a buffer has gone while the peer was reading it");
    return false;
  }
  payload = range.memory;
  read.advance(octets);
  return true;
}

void Endpoint::finish_message(OctetBuffer&) {
  if (sending_ == Sending::work) {
    work_.handed_over();
  } else {
    inbound_.pop_front();
  }
  sending_ = Sending::nothing;
}

// --------------------------------------------------------------------------------------------------------------- FPDUs

void Endpoint::send_segment(const Segmenter::Piece& piece, Opcode, Octets payload, OctetBuffer& out) {
  frame(piece.header, payload, out);
}

void Endpoint::frame(const ddp::Header& header, Octets payload, OctetBuffer& out) {
  head_.clear();
  ddp::encode(header, head_);
  send_fpdu(std::array<Octets, 2>{head_, payload}, out);
}

void Endpoint::send_fpdu(std::span<const Octets> ulpdu, OctetBuffer& out) {
  framer_->frame(ulpdu, out);
}

void Endpoint::send_terminate(OctetBuffer& out) {
  const OctetBuffer message = *std::exchange(terminate_, std::nullopt);
  send_segment({.header = header_of(Opcode::terminate), .first = true}, Opcode::terminate, message, out);
}

}  // namespace wirelaw::rdmap
