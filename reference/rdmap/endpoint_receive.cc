// SPDX-License-Identifier: Apache-2.0
// What an endpoint makes of the octets that come: start frames, FPDUs, and the fields that every segment has. Each
// check stands where its layer makes it: MPA (RFC 5044, 8), DDP (RFC 5041, 7.1), RDMAP (RFC 5040, 7.2).
#include <algorithm>
#include <utility>

#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {

using enum Deviation;

namespace {

constexpr std::size_t kDelayedOctets = std::size_t{1} << 20;

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
  if (failed_ && deviates(places_after_error)) place_after_error({});
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

}  // namespace wirelaw::rdmap
