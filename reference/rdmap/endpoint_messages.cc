// SPDX-License-Identifier: Apache-2.0
// What an endpoint does with each message that comes (RFC 5040, 5 and 7.2; RFC 7306, 8.2), once the fields that every
// segment has are right.
#include <algorithm>

#include "reference/rdmap/atomics.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {

using enum Deviation;

namespace {

constexpr std::size_t kTerminateCapacity = 128;  // more than any Terminate needs

// What a fault of a buffer is called, by BufferFault: for a tagged segment (RFC 5041, 7.2; A-27 for the missing right)
// and for the source of a read or an atomic operation (RFC 5040, figure 9); and the deviation that goes on.
struct BufferErrorRow {
  ErrorCode tagged;
  ErrorCode source;
  Deviation tolerance;
  std::string_view text;
};
constexpr BufferErrorRow kBufferErrors[] = {
    {},
    {error::kDdpInvalidStag, error::kInvalidStag, accepts_stag, "the STag is not valid"},
    {error::kDdpStagNotAssociated, error::kStagNotAssociated, accepts_foreign_stag,
     "the STag belongs to another stream"},
    {error::kDdpInvalidStag, error::kAccessRights, accepts_access, "the buffer does not permit this access"},
    {error::kDdpToWrap, error::kToWrap, accepts_wrap, "the tagged offset wraps"},
    {error::kDdpBaseOrBounds, error::kBaseOrBounds, accepts_bounds, "the range is not in the buffer"},
};
const BufferErrorRow& row_of(BufferFault fault) {
  return kBufferErrors[static_cast<std::size_t>(fault)];
}

}  // namespace

// ----------------------------------------------------------------------------------------------------- tagged messages

Buffers::Range Endpoint::look(Stag stag, std::uint64_t to, std::uint64_t size, Use use) const {
  const bool any = deviates(accepts_foreign_stag) || deviates(protection_domains_ignored);
  return buffers_.look(stag, any ? kEveryStream : stream_, to, size, deviates(accepts_access) ? Use::sink : use);
}

void Endpoint::place(Octets payload, std::span<Octet> memory) {
  if (!payload.empty()) std::memcpy(memory.data(), payload.data(), payload.size());
}

void Endpoint::place_after_error(Octets octets) {
  if (!deframer_) return;
  if (!octets.empty()) deframer_->feed(octets);
  while (const std::optional<mpa::Fpdu> fpdu = deframer_->next()) {
    const auto segment = ddp::decode(fpdu->ulpdu());
    if (!segment || !segment->header.tagged) continue;
    const auto range = look(segment->header.stag, segment->header.to, segment->payload.size(), Use::remote_write);
    if (range.fault == BufferFault::none) place(segment->payload, range.memory);
  }
}

void Endpoint::on_write(Incoming& segment) {
  // Of a zero-length segment neither STag nor TO is looked at (RFC 5041, 5.2).
  if (segment.payload.empty() && !deviates(zero_length_write_checked)) return;
  const auto range = look(segment.header.stag, segment.header.to, segment.payload.size(), Use::remote_write);
  if (range.fault != BufferFault::none) {
    const BufferErrorRow& row = row_of(range.fault);
    if (range.fault == BufferFault::bounds && deviates(places_what_fits)) {
      const auto first = look(segment.header.stag, segment.header.to, 1, Use::remote_write);
      if (first.fault == BufferFault::none) place(segment.payload.first(1), first.memory);
    }
    fails(row.tagged, row.tolerance, segment, std::string(row.text));
    return;
  }
  if (deviates(writes_not_placed)) return;
  if ((deviates(read_before_write) || deviates(delivers_before_placing)) && delayed_.size() < 16) {
    delayed_.emplace_back(range.memory, OctetBuffer(segment.payload.begin(), segment.payload.end()));
    return;
  }
  place(segment.payload, range.memory);
}

// The response to the oldest read: the right buffer, octet by octet, and as many as were asked for (RFC 5040, 5.2.2).
void Endpoint::on_read_response(Incoming& segment) {
  const ddp::Header& header = segment.header;
  Work* const read = work_.oldest_outstanding();
  if (read == nullptr || read->opcode != Opcode::read_request) {
    fails(error::kUnexpectedOpcode, accepts_unasked_response, segment, "nothing was asked for");
    return;
  }
  const std::uint32_t left = read->read.size - read->received;
  if (!segment.payload.empty()) {
    Octets payload = segment.payload;
    if (header.stag != read->read.sink_stag) {
      fails(error::kDdpInvalidStag, accepts_stag, segment, "the STag is not that of the oldest read");
      return;
    }
    const bool fits = header.to == read->read.sink_to + read->received && payload.size() <= left;
    if (!fits && fails(error::kDdpBaseOrBounds, accepts_response_size, segment,
                       "the response leaves the range of the oldest read"))
      return;
    if (deviates(error_ignored) && !fits) return;
    payload = payload.first(std::min<std::size_t>(payload.size(), left));
    const auto range = look(header.stag, read->read.sink_to + read->received, payload.size(), Use::sink);
    if (range.fault != BufferFault::none) {
      const BufferErrorRow& row = row_of(range.fault);
      fails(row.tagged, row.tolerance, segment, std::string(row.text));
      return;
    }
    place(payload, range.memory);
    read->received += static_cast<std::uint32_t>(payload.size());
  }
  if (!header.last) return;
  // Figure 9 has no code for it: the range is kept to, and of no octets DDP has nothing to say.
  if (read->received != read->read.size && fails(error::kOperationUnspecified, accepts_response_size, segment,
                                                 "the response is shorter than what was asked for"))
    return;
  work_.answered();
}

// --------------------------------------------------------------------------------------------------- untagged messages

void Endpoint::on_send(Incoming& segment) {
  const bool begins = !queues_[kSendQueue].amid_message();
  if (begins) send_opcode_ = static_cast<Opcode>(segment.control.opcode);
  const bool bare = begins && segment.header.last && segment.payload.empty();
  // A ready-to-receive message is the provider's: it takes no receive of the upper layer (RFC 6581, 5 and 9.2).
  const bool rtr = bare && first_segment_ && agreement().rtr_send_offered && segment.control.is(Opcode::send);
  if (rtr || (bare && deviates(zero_length_send_not_counted))) {
    if (admit(segment, 0)) assemble(segment);
    return;
  }
  std::optional<std::size_t> capacity;
  if (!receives_.empty()) capacity = receives_.front().capacity;
  if (capacity && *capacity > 0 && deviates(buffer_short_by_one)) --*capacity;
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
      fails(error::kCatastrophicStream, accepts_immediate_size, segment, "immediate data that is not eight octets"))
    return;
  Received received{.id = receives_.front().id, .opcode = row.opcode, .data = std::move(message)};
  if (row.invalidate_stag) {
    const Stag stag = segment.header.rsvd_ulp_rest;
    received.invalidated = stag;
    if (!deviates(invalidation_ignored) && !buffers_.invalidate_remotely(stag, stream_) &&
        fails(error::kProtectionCannotInvalidate, accepts_invalidation, segment, "the STag cannot be invalidated"))
      return;
  }
  if (!deviates(delivers_before_placing)) {
    for (const auto& [memory, octets] : delayed_) place(octets, memory);
    delayed_.clear();
  }
  receives_.pop_front();
  events_.emplace_back(std::move(received));
}

// Reads and atomic operations share queue 1 and its limit (RFC 7306, 5.2).
void Endpoint::on_read_request(Incoming& segment) {
  if (ending_ != Ending::none) return fail(error::kLocalCatastrophic, nullptr, "a request that cannot be answered");
  std::size_t ird = agreement().depths.ird;
  if (ird > 0 && deviates(ird_off_by_one)) --ird;
  const bool full = inbound_.size() >= ird && !deviates(exceeds_ird);
  const bool extensions = options_.extensions;
  std::optional<std::size_t> capacity;
  if (!full) capacity = extensions ? layout::kAtomicRequest : layout::kReadRequest;
  if (!admit(segment, capacity)) return;
  const std::optional<Octets> message = assemble(segment);
  if (message) answer_later(segment, *message);
}

void Endpoint::answer_later(Incoming& segment, Octets message) {
  const bool atomic = segment.control.is(Opcode::atomic_request);
  const std::size_t header_octets = atomic ? layout::kAtomicRequest : layout::kReadRequest;
  if (message.size() != header_octets) {
    fails(error::kCatastrophicStream, accepts_read_size, segment,
          "a request of " + std::to_string(message.size()) + " octets");
    return;
  }
  InboundRead read{
      .offender = offender_of(segment.ulpdu, segment.header), .request = {}, .atomic = atomic, .operation = {}};
  if (atomic) {
    read.operation = *decode_atomic_request(message);
    const AtomicRequest& operation = read.operation;
    if (!known(operation)) {
      fail(error::kCatastrophicStream, &read.offender, "atomic operation " + std::to_string(atomic_opcode(operation)));
      return;
    }
    if (!check_source(read, operation.stag, operation.to, kAtomicOctets, Use::remote_atomic)) return;
    if (operation.to % kAtomicOctets != 0 && !deviates(atomic_alignment_ignored) && !deviates(error_ignored))
      return fail(error::kCatastrophicStream, &read.offender, "an atomic operation at an address that is not aligned");
  } else {
    read.request = *decode_read_request(message);
    read.offender.read = read.offender.original_read = read.request;
    // The source of a zero-length read is not looked at (RFC 5040, 5.2.1).
    if ((read.request.size > 0 || deviates(zero_length_read_validated)) &&
        !check_source(read, read.request.source_stag, read.request.source_to, read.request.size, Use::remote_read))
      return;
  }
  inbound_.push_back(std::move(read));
  if (!atomic || !deviates(atomic_consumes_receive) || receives_.empty()) return;
  events_.emplace_back(Received{.id = receives_.front().id, .opcode = Opcode::send, .data = {}, .invalidated = {}});
  receives_.pop_front();
}

bool Endpoint::check_source(InboundRead& read, Stag stag, std::uint64_t to, std::uint64_t size, Use use) {
  const BufferFault fault = look(stag, to, size, use).fault;
  if (fault == BufferFault::none) return true;
  const BufferErrorRow& row = row_of(fault);
  if (deviates(error_ignored)) return false;
  if (deviates(row.tolerance)) return read.zeros = true;
  fail(row.source, &read.offender, std::string(row.text));
  return false;
}

void Endpoint::on_atomic_response(Incoming& segment) {
  Work* const work = work_.oldest_outstanding();
  if (work == nullptr || work->opcode != Opcode::atomic_request) {
    fails(error::kUnexpectedOpcode, accepts_unasked_response, segment, "nothing was asked for");
    return;
  }
  const bool short_by_one = deviates(atomic_responses_short) && work_.outstanding() >= agreement().depths.ord;
  if (!admit(segment, short_by_one ? std::nullopt : std::optional<std::size_t>(layout::kAtomicResponse))) return;
  const std::optional<Octets> message = assemble(segment);
  if (!message) return;
  const auto response = decode_atomic_response(*message);
  if (!response || response->request_identifier != work->atomic.request_identifier) {
    fails(error::kCatastrophicStream, accepts_unasked_response, segment,
          "an atomic response that does not belong to the oldest operation");
    return;
  }
  work->original = response->original_value;
  work_.answered();
}

// Whatever is wrong with a Terminate is told here alone: its sender listens to nothing any more.
void Endpoint::on_terminate(Incoming& segment) {
  UntaggedQueue& queue = queues_[kTerminateQueue];
  const auto wrong = queue.check(segment.header, segment.payload.size(), kTerminateCapacity);
  std::optional<Octets> message = segment.payload;
  if (!wrong) message = assemble(segment);
  if (!message || deviates(terminate_ignored)) return;
  const auto terminate = decode_terminate(*message);
  if (segment.header.rsvd_ulp_rest != 0 && deviates(terminate_with_stag_ignored)) return;
  if ((wrong || !terminate || terminate->cut) && deviates(invalid_terminate_ignored)) return;
  events_.emplace_back(RemoteTerminate{.decoded = terminate && !terminate->cut && !wrong,
                                       .error = terminate ? terminate->error : ErrorCode{},
                                       .message = OctetBuffer(message->begin(), message->end())});
  if (deviates(terminate_answered)) return fail(error::kLocalCatastrophic, nullptr, "the peer has terminated");
  stop();
}

}  // namespace wirelaw::rdmap
