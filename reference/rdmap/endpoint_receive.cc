// SPDX-License-Identifier: Apache-2.0
// What an endpoint makes of the octets that come: start frames, FPDUs, segments, messages. Each check stands where its
// layer makes it: MPA (RFC 5044, 8), DDP (RFC 5041, 7.1), RDMAP (RFC 5040, 7.2).
#include <algorithm>
#include <utility>

#include "reference/rdmap/atomics.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {

using enum Deviation;

namespace {

constexpr std::size_t kTerminateCapacity = 128;  // more than any Terminate needs
constexpr std::size_t kDelayedOctets = std::size_t{1} << 20;

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

struct OrderErrorRow {
  ErrorCode error;
  Deviation tolerance;
  std::string_view text;
};
constexpr OrderErrorRow kOrderErrors[] = {
    {error::kDdpMsnRange, accepts_msn, "the MSN is not the next"},
    {error::kDdpNoBuffer, accepts_without_buffer, "there is no buffer for the message"},
    {error::kDdpInvalidMo, accepts_mo, "the MO is not the next"},
    {error::kDdpTooLong, accepts_too_long, "the message is longer than the buffer"},
};

}  // namespace

// ------------------------------------------------------------------------------------------------------------ start-up

// Gives what is behind the start frame, where Full Operation has begun by it.
Octets Endpoint::take_start(Octets octets) {
  if (phase_ == Phase::requested) {  // nothing may come before our reply (RFC 5044, 7.1.2, rule 3)
    if (octets.empty()) return {};
    if (deviates(accepts_octets_behind_request) && early_.size() < kDelayedOctets) {
      Writer(early_).octets(octets);
    } else {
      abort_start("octets behind the request, before the reply");
    }
    return {};
  }
  switch (startup_.take(octets)) {
    case Startup::Step::more:
      break;
    case Startup::Step::failed:
      abort_start(startup_.error());
      break;
    case Startup::Step::request:
      phase_ = Phase::requested;
      events_.emplace_back(ConnectionRequest{.revision = startup_.peer_revision(),
                                             .enhanced = startup_.peer_enhanced(),
                                             .private_data = startup_.peer_private_data()});
      return take_start(octets);
    case Startup::Step::accepted:
      begin_operation();
      return octets;
    case Startup::Step::rejected:
      due_.reset();
      phase_ = Phase::exited;
      events_.emplace_back(
          Rejected{.enhanced = startup_.peer_enhanced(), .private_data = startup_.peer_private_data()});
      if (deviates(fpdu_after_rejection)) Writer(start_output_).octets(stray_fpdu());
      break;
  }
  return {};
}

// ----------------------------------------------------------------------------------------------------------------- MPA

void Endpoint::take_fpdus(Octets octets) {
  if (failed_) return;
  deframer_->feed(octets);
  while (!failed_ && !dead_) {
    const std::optional<mpa::Fpdu> fpdu = deframer_->next();
    if (!fpdu) return;
    take_fpdu(*fpdu);
  }
}

void Endpoint::take_fpdu(const mpa::Fpdu& fpdu) {
  const bool checks_crc = (agreement().crc && !deviates(crc_not_checked)) || deviates(crc_checked_unasked);
  if (checks_crc && !fpdu.crc_holds()) {
    if (deviates(error_ignored)) return;
    return fail(error::kMpaCrc, nullptr, "the CRC of an FPDU does not hold");
  }
  // A responder may have waited for this.
  if (!std::exchange(may_send_, true) && !closing_) due_.reset();
  // The two low bits of FPDUPTR mean nothing (RFC 5044, 4.2).
  const bool astray = std::ranges::any_of(
      fpdu.markers, [](const mpa::Marker& marker) { return (marker.pointer & ~3u) != marker.expected; });
  if (astray && !deviates(accepts_marker) && !deviates(error_ignored))
    return fail(error::kMpaMarker, nullptr, "a marker does not point to the beginning of its FPDU");
  if (deviates(pad_checked) && std::ranges::any_of(fpdu.pad(), [](Octet octet) { return octet != 0; }))
    return fail(error::kMpaCrc, nullptr, "the pad is not zero");

  const auto segment = ddp::decode(fpdu.ulpdu());
  if (!segment) {
    dead_ = dead_ || deviates(dies_of_short_ulpdu);
    if (deviates(accepts_short_ulpdu) || deviates(error_ignored)) return;
    // No layer names this. MPA's length cannot be right, and that is what deployed receivers say.
    return fail(error::kMpaMarker, nullptr,
                "a ULPDU of " + std::to_string(segment.error().have) + " octets is shorter than its DDP header");
  }
  Incoming incoming{segment->header, decode_control(segment->header.rsvd_ulp), segment->payload, fpdu.ulpdu()};
  take_segment(incoming);
  first_segment_ = false;
}

// ---------------------------------------------------------------------------------------- the fields of every segment

bool Endpoint::fails(const ErrorCode& error, Deviation tolerance, const Incoming& segment, std::string text) {
  if (deviates(tolerance) || deviates(error_ignored)) return false;
  Offender offender = offender_of(segment.ulpdu, segment.header);
  const bool whole_request = segment.control.is(Opcode::read_request) && !segment.header.tagged &&
                             segment.header.qn == kReadRequestQueue && segment.header.mo == 0;
  if (whole_request) offender.read = decode_read_request(segment.payload);
  fail(error, &offender, std::move(text));
  return true;
}

struct Endpoint::Handler {
  Opcode opcode;
  void (Endpoint::*handle)(Incoming& segment);
};

void Endpoint::take_segment(Incoming& segment) {
  static constexpr std::array<Handler, 12> kHandlers{{
      {Opcode::write, &Endpoint::on_write},
      {Opcode::read_request, &Endpoint::on_read_request},
      {Opcode::read_response, &Endpoint::on_read_response},
      {Opcode::send, &Endpoint::on_send},
      {Opcode::send_invalidate, &Endpoint::on_send},
      {Opcode::send_se, &Endpoint::on_send},
      {Opcode::send_se_invalidate, &Endpoint::on_send},
      {Opcode::terminate, &Endpoint::on_terminate},
      {Opcode::immediate_data, &Endpoint::on_send},
      {Opcode::immediate_data_se, &Endpoint::on_send},
      {Opcode::atomic_request, &Endpoint::on_read_request},
      {Opcode::atomic_response, &Endpoint::on_atomic_response},
  }};
  const ddp::Header& header = segment.header;
  const bool extensions = options_.extensions && !deviates(extensions_refused);
  const std::uint32_t queues = extensions ? kAtomicResponseQueue + 1 : kTerminateQueue + 1;

  if (header.version != ddp::kVersion && fails(header.tagged ? error::kDdpTaggedVersion : error::kDdpUntaggedVersion,
                                               accepts_ddp_version, segment, "DV is " + std::to_string(header.version)))
    return;
  if (!header.tagged && header.qn >= queues) {
    fails(error::kDdpInvalidQn, accepts_queue_number, segment, "there is no queue " + std::to_string(header.qn));
    return;
  }
  if (segment.control.version != 1 &&
      fails(error::kInvalidVersion, accepts_rdmap_version, segment, "RV is " + std::to_string(segment.control.version)))
    return;
  const bool later = header.tagged ? false : queues_[header.qn].amid_message();
  if (later && header.qn == kSendQueue && deviates(accepts_later_opcode)) segment.control = control_of(send_opcode_);
  const OpcodeRow* const row = find_opcode(segment.control.opcode);
  if (row == nullptr || (row->extension && !extensions)) {
    dead_ = dead_ || deviates(dies_of_bad_opcode);
    fails(error::kUnexpectedOpcode, accepts_opcode, segment, "opcode " + std::to_string(segment.control.opcode));
    return;
  }
  if (row->tagged != header.tagged || (!row->tagged && row->queue != header.qn)) {
    fails(error::kUnexpectedOpcode, accepts_wrong_queue, segment,
          "a " + std::string(row->name) + " by the wrong queue or buffer model");
    return;
  }
  if (deviates(reserved_checked) && (header.reserved != 0 || segment.control.reserved != 0))
    return fail(error::kCatastrophicStream, nullptr, "a reserved bit is set");
  if (deviates(bare_invalidate_stag_checked) && !row->invalidate_stag && header.rsvd_ulp_rest != 0)
    return fail(error::kCatastrophicStream, nullptr, "an Invalidate STag in a message that has none");
  if (header.tagged) tagged_open_ = !header.last;
  (this->*kHandlers[segment.control.opcode].handle)(segment);
}

// Whether an untagged segment is the next of its queue. What a deviation tolerates is made to fit.
bool Endpoint::admit(Incoming& segment, std::optional<std::size_t> capacity) {
  UntaggedQueue& queue = queues_[segment.header.qn];
  while (const auto error = queue.check(segment.header, segment.payload.size(), capacity)) {
    const auto* const row = std::ranges::find(kOrderErrors, *error, &OrderErrorRow::error);
    if (fails(*error, row->tolerance, segment, std::string(row->text)) || deviates(error_ignored)) return false;
    if (*error == error::kDdpMsnRange || *error == error::kDdpInvalidMo) {
      queue.follow(segment.header);
    } else if (*error == error::kDdpNoBuffer || queue.placed() > *capacity) {
      queue.take(segment.header, segment.payload.size());
      return false;
    } else {
      segment.payload = segment.payload.first(*capacity - queue.placed());
    }
  }
  return true;
}

// Takes an admitted segment. Gives the message where this was its last: in place, or as it has been put together.
std::optional<Octets> Endpoint::assemble(const Incoming& segment) {
  UntaggedQueue& queue = queues_[segment.header.qn];
  OctetBuffer& kept = assembly_[segment.header.qn];
  const bool begins = !queue.amid_message();
  queue.take(segment.header, segment.payload.size());
  if (begins) kept.clear();
  if (begins && segment.header.last) return segment.payload;
  kept.insert(kept.end(), segment.payload.begin(), segment.payload.end());
  return segment.header.last ? std::optional<Octets>(kept) : std::nullopt;
}

Buffers::Range Endpoint::look(Stag stag, std::uint64_t to, std::uint64_t size, Use use) const {
  return buffers_.look(stag, deviates(accepts_foreign_stag) ? kEveryStream : stream_, to, size,
                       deviates(accepts_access) ? Use::sink : use);
}

// ------------------------------------------------------------------------------------------------------ tagged
// messages

void Endpoint::place(Octets payload, std::span<Octet> memory) {
  if (!payload.empty()) std::memcpy(memory.data(), payload.data(), payload.size());
}

void Endpoint::on_write(Incoming& segment) {
  // Of a zero-length segment neither STag nor TO is looked at (RFC 5041, 5.2).
  if (segment.payload.empty() && !deviates(zero_length_write_checked)) return;
  const auto range = look(segment.header.stag, segment.header.to, segment.payload.size(), Use::remote_write);
  if (range.fault != BufferFault::none) {
    const BufferErrorRow& row = row_of(range.fault);
    fails(row.tagged, row.tolerance, segment, std::string(row.text));
    return;
  }
  if (deviates(writes_not_placed)) return;
  if (deviates(read_before_write) && delayed_.size() < 16) {
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
  if (read->received != read->read.size &&
      fails(error::kDdpBaseOrBounds, accepts_response_size, segment, "the response is shorter than what was asked for"))
    return;
  work_.answered();
}

// ---------------------------------------------------------------------------------------------------- untagged
// messages

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
  for (const auto& [memory, octets] : delayed_) place(octets, memory);
  delayed_.clear();
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
  if (!admit(segment, layout::kAtomicResponse)) return;
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
  events_.emplace_back(RemoteTerminate{.decoded = terminate && !terminate->cut && !wrong,
                                       .error = terminate ? terminate->error : ErrorCode{},
                                       .message = OctetBuffer(message->begin(), message->end())});
  if (deviates(terminate_answered)) return fail(error::kLocalCatastrophic, nullptr, "the peer has terminated");
  stop();
}

}  // namespace wirelaw::rdmap
