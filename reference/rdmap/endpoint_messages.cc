// SPDX-License-Identifier: Apache-2.0
// Processing of received messages (RFC 5040, 5 and 7.2; RFC 7306, 8.2), after the check of the fields that all segments
// have.
#include <algorithm>

#include "reference/rdmap/atomics.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {

namespace {

constexpr std::size_t kTerminateCapacity = 128;  // more than any Terminate needs (RDMAP/A-04)

}  // namespace

// ----------------------------------------------------------------------------------------------------- tagged messages

Buffers::Range Endpoint::look(Stag stag, std::uint64_t to, std::uint64_t size, Use use) const {
  return buffers_.look(stag, stream_, to, size, use);
}

void Endpoint::place(Octets payload, std::span<Octet> memory) {
  if (!payload.empty()) std::memcpy(memory.data(), payload.data(), payload.size());
}

void Endpoint::place_write(Octets payload, std::span<Octet> memory) {
  place(payload, memory);
}

void Endpoint::on_write(Incoming& segment) {
  // A zero-length segment's STag and TO are not checked (RFC 5041, 5.2).
  if (segment.payload.empty()) return;
  const auto range = look(segment.header.stag, segment.header.to, segment.payload.size(), Use::remote_write);
  if (range.fault == BufferFault::none) {
    place_write(segment.payload, range.memory);
  } else {
    refuse_segment(violation_of_segment(range.fault), segment);
  }
}

// The response to the oldest read must use the right buffer, octet by octet, and have the requested length (RFC 5040,
// 5.2.2).
void Endpoint::on_read_response(Incoming& segment) {
  const ddp::Header& header = segment.header;
  Work* const read = work_.oldest_outstanding();
  if (read == nullptr || read->opcode != Opcode::read_request) {
    refuse_segment({Check::response_expected, error::kUnexpectedOpcode, "nothing was asked for"}, segment);
    return;
  }
  if (!segment.payload.empty()) {
    if (header.stag != read->read.sink_stag) {
      refuse_segment({Check::stag, error::kDdpInvalidStag, "the STag is not that of the oldest read"}, segment);
      return;
    }
    if (header.to != read->read.sink_to + read->received || segment.payload.size() > read->read.size - read->received) {
      refuse_segment(
          {Check::response_size, error::kDdpBaseOrBounds, "the response leaves the range of the oldest read"}, segment);
      return;
    }
    const auto range = look(header.stag, header.to, segment.payload.size(), Use::sink);
    if (range.fault != BufferFault::none) {
      refuse_segment(violation_of_segment(range.fault), segment);
      return;
    }
    place(segment.payload, range.memory);
    read->received += static_cast<std::uint32_t>(segment.payload.size());
  }
  if (!header.last) return;
  // Figure 9 has no code for a response that is too short, and DDP has no error for missing octets.
  if (read->received != read->read.size && refuse_segment({Check::response_size, error::kOperationUnspecified,
                                                           "the response is shorter than what was asked for"},
                                                          segment))
    return;
  work_.answered();
}

// --------------------------------------------------------------------------------------------------- untagged messages

// The provider handles a ready-to-receive message, which consumes no receive of the upper layer (RFC 6581, 5 and 9.2).
bool Endpoint::is_ready_to_receive(const Incoming& segment) const {
  return first_segment_ && agreement().rtr_send_offered && segment.control.is(Opcode::send);
}

std::optional<std::size_t> Endpoint::receive_capacity() const {
  return receives_.empty() ? std::nullopt : std::optional(receives_.front().capacity);
}

void Endpoint::on_send(Incoming& segment) {
  const bool begins = !queues_[kSendQueue].amid_message();
  if (begins) send_opcode_ = static_cast<Opcode>(segment.control.opcode);
  if (begins && segment.header.last && segment.payload.empty() && is_ready_to_receive(segment)) {
    if (admit(segment, 0)) assemble(segment);
    return;
  }
  const std::optional<std::size_t> capacity = receive_capacity();
  if (!admit(segment, capacity)) return;
  if (begins && !segment.header.last) assembly_[kSendQueue].reserve(*capacity);
  const std::optional<Octets> message = assemble(segment);
  if (!message) return;
  const bool in_place = begins;
  deliver(segment, in_place ? OctetBuffer(message->begin(), message->end()) : std::move(assembly_[kSendQueue]));
  assembly_[kSendQueue].clear();
}

void Endpoint::deliver(const Incoming& segment, OctetBuffer&& message) {
  const OpcodeRow& row = *find_opcode(segment.control.opcode);
  const bool immediate = row.header_octets == layout::kImmediateData;
  if (immediate && message.size() != layout::kImmediateData &&
      refuse_segment({Check::immediate_size, error::kCatastrophicStream, "immediate data that is not eight octets"},
                     segment))
    return;
  Received received{.id = receives_.front().id, .opcode = row.opcode, .data = std::move(message)};
  if (row.invalidate_stag) {
    const Stag stag = segment.header.rsvd_ulp_rest;
    received.invalidated = stag;
    if (!invalidate_for_peer(stag) &&
        refuse_segment({Check::invalidation, error::kProtectionCannotInvalidate, "the STag cannot be invalidated"},
                       segment))
      return;
  }
  complete_receive(std::move(received));
}

bool Endpoint::invalidate_for_peer(Stag stag) {
  return buffers_.invalidate_remotely(stag, stream_);
}

void Endpoint::complete_receive(Received&& received) {
  receives_.pop_front();
  events_.emplace_back(std::move(received));
}

// Reads and atomic operations share queue 1 and its limit (RFC 7306, 5.2).
std::size_t Endpoint::ird() const {
  return agreement().depths.ird;
}

void Endpoint::on_request(Incoming& segment) {
  if (ending_ != Ending::none) return fail(error::kLocalCatastrophic, nullptr, "a request that cannot be answered");
  std::optional<std::size_t> capacity;
  if (inbound_.size() < ird()) capacity = options_.extensions ? layout::kAtomicRequest : layout::kReadRequest;
  if (!admit(segment, capacity)) return;
  const std::optional<Octets> message = assemble(segment);
  if (!message) return;
  const bool atomic = segment.control.is(Opcode::atomic_request);
  if (message->size() != (atomic ? layout::kAtomicRequest : layout::kReadRequest)) {
    refuse_segment({Check::request_size, error::kCatastrophicStream,
                    "a request of " + std::to_string(message->size()) + " octets"},
                   segment);
  } else if (atomic) {
    on_atomic_request(segment, *message);
  } else {
    on_read_request(segment, *message);
  }
}

void Endpoint::on_read_request(const Incoming& segment, Octets message) {
  InboundRead read{.offender = offender_of(segment.ulpdu, segment.header),
                   .msn = segment.header.msn,
                   .request = *decode_read_request(message),
                   .operation = {}};
  read.offender.read = read.offender.original_read = read.request;
  const ReadRequest& request = read.request;
  if (check_source(read, request.source_stag, request.source_to, request.size, Use::remote_read))
    answer_later(std::move(read));
}

void Endpoint::on_atomic_request(const Incoming& segment, Octets message) {
  InboundRead read{.offender = offender_of(segment.ulpdu, segment.header),
                   .msn = segment.header.msn,
                   .request = {},
                   .atomic = true,
                   .operation = *decode_atomic_request(message)};
  const AtomicRequest& operation = read.operation;
  if (!known(operation))
    return fail(error::kCatastrophicStream, &read.offender,
                "atomic operation " + std::to_string(atomic_opcode(operation)));
  if (!check_source(read, operation.stag, operation.to, kAtomicOctets, Use::remote_atomic)) return;
  if (operation.to % kAtomicOctets != 0 && refuse({Check::atomic_alignment, error::kCatastrophicStream,
                                                   "an atomic operation at an address that is not aligned"},
                                                  &read.offender))
    return;
  answer_later(std::move(read));
}

// The source of a zero-length read is not checked (RFC 5040, 5.2.1).
bool Endpoint::check_source(InboundRead& read, Stag stag, std::uint64_t to, std::uint64_t size, Use use) {
  if (size == 0) return true;
  const BufferFault fault = look(stag, to, size, use).fault;
  if (fault == BufferFault::none) return true;
  refuse(violation_of_source(fault), &read.offender);
  return false;
}

void Endpoint::answer_later(InboundRead&& read) {
  inbound_.push_back(std::move(read));
}

std::optional<std::size_t> Endpoint::atomic_response_capacity() const {
  return layout::kAtomicResponse;
}

void Endpoint::on_atomic_response(Incoming& segment) {
  Work* const work = work_.oldest_outstanding();
  if (work == nullptr || work->opcode != Opcode::atomic_request) {
    refuse_segment({Check::response_expected, error::kUnexpectedOpcode, "nothing was asked for"}, segment);
    return;
  }
  if (!admit(segment, atomic_response_capacity())) return;
  const std::optional<Octets> message = assemble(segment);
  if (!message) return;
  const auto response = decode_atomic_response(*message);
  if (!response || response->request_identifier != work->atomic.request_identifier) {
    refuse_segment({Check::response_expected, error::kCatastrophicStream,
                    "an atomic response that does not belong to the oldest operation"},
                   segment);
    return;
  }
  work->original = response->original_value;
  work_.answered();
}

// A fault in a Terminate is only reported here: its sender does not receive any more (RDMAP/A-43).
void Endpoint::on_terminate(Incoming& segment) {
  UntaggedQueue& queue = queues_[kTerminateQueue];
  const auto wrong = queue.check(segment.header, segment.payload.size(), kTerminateCapacity);
  std::optional<Octets> message = segment.payload;
  if (!wrong) message = assemble(segment);
  if (!message) return;
  const auto terminate = decode_terminate(*message);
  obey(segment, {.decoded = terminate && !terminate->cut && !wrong,
                 .error = terminate ? terminate->error : ErrorCode{},
                 .message = OctetBuffer(message->begin(), message->end())});
}

void Endpoint::obey(const Incoming&, RemoteTerminate&& terminate) {
  events_.emplace_back(std::move(terminate));
  stop();
}

}  // namespace wirelaw::rdmap
