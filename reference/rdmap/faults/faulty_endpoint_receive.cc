// SPDX-License-Identifier: Apache-2.0
// Deviations in receiving: missing checks, failed checks that are ignored, and wrong handling of valid segments.
#include <algorithm>
#include <limits>

#include "reference/rdmap/atomics.h"
#include "reference/rdmap/faults/faulty_endpoint.h"

namespace wirelaw::rdmap {

using enum Deviation;

namespace {

constexpr std::size_t kMostDelayed = 16;  // maximum number of delayed Writes

// A deviation that ignores a failed check. CRCs are missing here: framing() decides if they are checked.
struct Tolerance {
  Check check;
  Deviation deviation;
};
constexpr Tolerance kOfReadRequests[] = {
    {Check::queue_number, accepts_read_queue},
    {Check::msn, accepts_read_msn},
    {Check::mo, accepts_read_mo},
};
constexpr Tolerance kOfExtensions[] = {
    {Check::mo, accepts_extension_mo},
};
constexpr Tolerance kTolerances[] = {
    {Check::marker, accepts_marker},
    {Check::ulpdu_size, accepts_short_ulpdu},
    {Check::ddp_version, accepts_ddp_version},
    {Check::queue_number, accepts_queue_number},
    {Check::msn, accepts_msn},
    {Check::receive_posted, accepts_without_buffer},
    {Check::mo, accepts_mo},
    {Check::receive_size, accepts_too_long},
    {Check::stag, accepts_stag},
    {Check::stag_of_stream, accepts_foreign_stag},
    {Check::access, accepts_access},
    {Check::wrap, accepts_wrap},
    {Check::bounds, accepts_bounds},
    {Check::rdmap_version, accepts_rdmap_version},
    {Check::opcode, accepts_opcode},
    {Check::queue_of_opcode, accepts_wrong_queue},
    {Check::request_size, accepts_read_size},
    {Check::response_expected, accepts_unasked_response},
    {Check::response_size, accepts_response_size},
    {Check::immediate_size, accepts_immediate_size},
    {Check::invalidation, accepts_invalidation},
    {Check::atomic_alignment, atomic_alignment_ignored},
};

}  // namespace

bool FaultyEndpoint::tolerates(Check check) const {
  const auto by = [&](std::span<const Tolerance> rows) {
    const auto row = std::ranges::find(rows, check, &Tolerance::check);
    return row != rows.end() && deviates(row->deviation);
  };
  return by(kTolerances) || (taking_read_request_ && by(kOfReadRequests)) || (taking_extension_ && by(kOfExtensions));
}

bool FaultyEndpoint::refuse(const Violation& violation, const Offender* offender) {
  if (violation.check == Check::ulpdu_size && deviates(dies_of_short_ulpdu)) dead_ = true;
  if (violation.check == Check::opcode && deviates(dies_of_bad_opcode)) dead_ = true;
  if (deviates(error_ignored) || tolerates(violation.check)) return false;
  return Endpoint::refuse(violation, offender);
}

// ------------------------------------------------------------------------------------------------------------ segments

void FaultyEndpoint::take_fpdu(const mpa::Fpdu& fpdu) {
  if (!dead_) Endpoint::take_fpdu(fpdu);
}

void FaultyEndpoint::take_ulpdu(const mpa::Fpdu& fpdu) {
  if (deviates(pad_checked) && std::ranges::any_of(fpdu.pad(), [](Octet octet) { return octet != 0; }))
    return fail(error::kMpaCrc, nullptr, "the pad is not zero");
  Endpoint::take_ulpdu(fpdu);
}

void FaultyEndpoint::take_segment(Incoming& segment) {
  taking_read_request_ = segment.control.is(Opcode::read_request);
  taking_extension_ = segment.control.is(Opcode::immediate_data) || segment.control.is(Opcode::atomic_response);
  const bool later = !segment.header.tagged && segment.header.qn == kSendQueue && queues_[kSendQueue].amid_message();
  if (later && deviates(accepts_later_opcode)) segment.control.opcode = static_cast<std::uint8_t>(send_opcode_);
  Endpoint::take_segment(segment);
}

bool FaultyEndpoint::understands_extensions() const {
  return Endpoint::understands_extensions() && !deviates(extensions_refused);
}

void FaultyEndpoint::take_message(const OpcodeRow& row, Incoming& segment) {
  const ddp::Header& header = segment.header;
  if (deviates(reserved_checked) && (header.reserved != 0 || segment.control.reserved != 0))
    return fail(error::kCatastrophicStream, nullptr, "a reserved bit is set");
  if (deviates(bare_invalidate_stag_checked) && !row.invalidate_stag && header.rsvd_ulp_rest != 0)
    return fail(error::kCatastrophicStream, nullptr, "an Invalidate STag in a message that has none");
  Endpoint::take_message(row, segment);
}

// Adjusts a tolerated segment until it fits, or drops it.
bool FaultyEndpoint::admit(Incoming& segment, std::optional<std::size_t> capacity) {
  UntaggedQueue& queue = queues_[segment.header.qn];
  while (const auto error = queue.check(segment.header, segment.payload.size(), capacity)) {
    const Check check = violation_of_order(*error).check;
    if (deviates(error_ignored) || !tolerates(check)) break;
    const bool for_zero = taking_read_request_ || (taking_extension_ && deviates(accepts_extension_mo));
    if (for_zero && check == Check::mo) {
      segment.header.mo = 0;
    } else if (check == Check::msn || check == Check::mo) {
      queue.follow(segment.header);
    } else if (check == Check::receive_posted || queue.placed() > *capacity) {
      queue.take(segment.header, segment.payload.size());
      return false;
    } else {
      segment.payload = segment.payload.first(*capacity - queue.placed());
    }
  }
  return Endpoint::admit(segment, capacity);
}

// ----------------------------------------------------------------------------------------------------- tagged messages

Buffers::Range FaultyEndpoint::look(Stag stag, std::uint64_t to, std::uint64_t size, Use use) const {
  const bool any = deviates(accepts_foreign_stag) || deviates(protection_domains_ignored);
  return buffers_.look(stag, any ? kEveryStream : stream_, to, size, deviates(accepts_access) ? Use::sink : use);
}

void FaultyEndpoint::on_write(Incoming& segment) {
  const ddp::Header& header = segment.header;
  const auto range = look(header.stag, header.to, segment.payload.size(), Use::remote_write);
  if (segment.payload.empty() && range.fault != BufferFault::none && deviates(zero_length_write_checked)) {
    refuse_segment(violation_of_segment(range.fault), segment);
    return;
  }
  if (range.fault == BufferFault::bounds && !segment.payload.empty() && deviates(places_what_fits)) {
    const auto first = look(header.stag, header.to, 1, Use::remote_write);
    if (first.fault == BufferFault::none) place(segment.payload.first(1), first.memory);
  }
  if (deviates(unaligned_writes_misplaced)) segment.header.to &= ~std::uint64_t{3};
  Endpoint::on_write(segment);
}

void FaultyEndpoint::place_write(Octets payload, std::span<Octet> memory) {
  if (deviates(writes_not_placed)) return;
  if ((deviates(read_before_write) || deviates(delivers_before_placing)) && delayed_.size() < kMostDelayed) {
    delayed_.emplace_back(memory, OctetBuffer(payload.begin(), payload.end()));
  } else {
    Endpoint::place_write(payload, memory);
  }
}

void FaultyEndpoint::place_delayed() {
  for (const auto& [memory, octets] : delayed_) place(octets, memory);
  delayed_.clear();
}

void FaultyEndpoint::place_after_error(Octets octets) {
  if (!deframer_) return;
  if (!octets.empty()) deframer_->feed(octets);
  while (const std::optional<mpa::Fpdu> fpdu = deframer_->next()) {
    const auto segment = ddp::decode(fpdu->ulpdu());
    if (!segment || !segment->header.tagged) continue;
    const auto range = look(segment->header.stag, segment->header.to, segment->payload.size(), Use::remote_write);
    if (range.fault == BufferFault::none) place(segment->payload, range.memory);
  }
}

// Puts a tolerated response into the right buffer, as far as it fits.
void FaultyEndpoint::on_read_response(Incoming& segment) {
  const Work* const work = work_.oldest_outstanding();
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - segment.header.to;
  if (deviates(accepts_response_wrap) && segment.payload.size() > room) return;
  if (deviates(accepts_response_size) && work != nullptr && work->opcode == Opcode::read_request &&
      segment.header.stag == work->read.sink_stag) {
    const std::size_t left = work->read.size - work->received;
    segment.header.to = work->read.sink_to + work->received;
    segment.payload = segment.payload.first(std::min(segment.payload.size(), left));
  }
  Endpoint::on_read_response(segment);
}

// --------------------------------------------------------------------------------------------------- untagged messages

bool FaultyEndpoint::is_ready_to_receive(const Incoming& segment) const {
  return Endpoint::is_ready_to_receive(segment) || deviates(zero_length_send_not_counted);
}

std::optional<std::size_t> FaultyEndpoint::receive_capacity() const {
  std::optional<std::size_t> capacity = Endpoint::receive_capacity();
  if (capacity && *capacity > 0 && deviates(buffer_short_by_one)) --*capacity;
  if (capacity && deviates(buffer_long_by_one)) ++*capacity;
  return capacity;
}

bool FaultyEndpoint::invalidate_for_peer(Stag stag) {
  if (deviates(invalidation_ignored) || Endpoint::invalidate_for_peer(stag)) return true;
  return deviates(shared_stag_invalidated) && look(stag, 0, 0, Use::sink).fault != BufferFault::not_associated &&
         buffers_.invalidate(stag);
}

void FaultyEndpoint::complete_receive(Received&& received) {
  if (!deviates(delivers_before_placing)) place_delayed();
  Endpoint::complete_receive(std::move(received));
}

std::size_t FaultyEndpoint::ird() const {
  if (deviates(exceeds_ird)) return std::numeric_limits<std::size_t>::max();
  const std::size_t ird = Endpoint::ird();
  return deviates(ird_off_by_one) && ird > 0 ? ird - 1 : ird;
}

bool FaultyEndpoint::check_source(InboundRead& read, Stag stag, std::uint64_t to, std::uint64_t size, Use use) {
  if (size == 0 && !deviates(zero_length_read_validated)) return true;
  const BufferFault fault = look(stag, to, size, use).fault;
  if (fault == BufferFault::none) return true;
  const Violation violation = violation_of_source(fault);
  if (refuse(violation, &read.offender) || !tolerates(violation.check)) return false;
  unreadable_.insert(read.msn);
  return true;
}

void FaultyEndpoint::on_atomic_response(Incoming& segment) {
  const Work* const work = work_.oldest_outstanding();
  auto response = decode_atomic_response(segment.payload);
  if (!deviates(accepts_atomic_identifier) || work == nullptr || !response)
    return Endpoint::on_atomic_response(segment);
  response->request_identifier = work->atomic.request_identifier;
  OctetBuffer altered;
  encode(*response, altered);
  segment.payload = altered;
  Endpoint::on_atomic_response(segment);
}

void FaultyEndpoint::on_atomic_request(const Incoming& segment, Octets message) {
  const AtomicRequest request = *decode_atomic_request(message);
  const bool refused = request.to % kAtomicOctets != 0;
  const auto range = look(request.stag, request.to, kAtomicOctets, Use::remote_atomic);
  if (deviates(atomic_done_though_refused) && refused && known(request) && range.fault == BufferFault::none)
    store_native(range.memory.data(), apply(request, load_native<std::uint64_t>(range.memory.data())));
  Endpoint::on_atomic_request(segment, message);
}

void FaultyEndpoint::answer_later(InboundRead&& read) {
  const bool consumes = read.atomic && deviates(atomic_consumes_receive) && !receives_.empty();
  Endpoint::answer_later(std::move(read));
  if (consumes)
    Endpoint::complete_receive({.id = receives_.front().id, .opcode = Opcode::send, .data = {}, .invalidated = {}});
}

std::optional<std::size_t> FaultyEndpoint::atomic_response_capacity() const {
  if (deviates(atomic_responses_short) && work_.outstanding() >= agreement().depths.ord) return std::nullopt;
  return Endpoint::atomic_response_capacity();
}

void FaultyEndpoint::obey(const Incoming& segment, RemoteTerminate&& terminate) {
  if (deviates(terminate_ignored)) return;
  if (segment.header.rsvd_ulp_rest != 0 && deviates(terminate_with_stag_ignored)) return;
  if (!terminate.decoded && deviates(invalid_terminate_ignored)) return;
  if (!deviates(terminate_answered)) return Endpoint::obey(segment, std::move(terminate));
  events_.emplace_back(std::move(terminate));
  fail(error::kLocalCatastrophic, nullptr, "the peer has terminated");
}

}  // namespace wirelaw::rdmap
