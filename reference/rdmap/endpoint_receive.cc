// SPDX-License-Identifier: Apache-2.0
// Processing of received octets: start frames, FPDUs, and the fields that all segments have. Each check is in its
// layer: MPA (RFC 5044, 8), DDP (RFC 5041, 7.1), RDMAP (RFC 5040, 7.2).
#include <algorithm>
#include <utility>

#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {

// ------------------------------------------------------------------------------------------------------------ start-up

// Returns the octets after the start frame, if it has begun Full Operation.
Octets Endpoint::take_start(Octets octets) {
  if (phase_ == Phase::requested) {
    if (!octets.empty()) take_early(octets);
    return {};
  }
  switch (startup_->take(octets)) {
    case Startup::Step::more:
      break;
    case Startup::Step::failed:
      abort_start(startup_->error());
      break;
    case Startup::Step::request:
      phase_ = Phase::requested;
      events_.emplace_back(ConnectionRequest{.revision = startup_->peer_revision(),
                                             .enhanced = startup_->peer_enhanced(),
                                             .private_data = startup_->peer_private_data()});
      return take_start(octets);
    case Startup::Step::accepted:
      begin_operation();
      return octets;
    case Startup::Step::rejected:
      leave_mpa();
      events_.emplace_back(
          Rejected{.enhanced = startup_->peer_enhanced(), .private_data = startup_->peer_private_data()});
      break;
  }
  return {};
}

// ----------------------------------------------------------------------------------------------------------------- MPA

void Endpoint::take_fpdus(Octets octets) {
  if (failed_) return;
  deframer_->feed(octets);
  while (!failed_) {
    const std::optional<mpa::Fpdu> fpdu = deframer_->next();
    if (!fpdu) return;
    take_fpdu(*fpdu);
  }
}

void Endpoint::take_fpdu(const mpa::Fpdu& fpdu) {
  if (framing_.check_crc && !fpdu.crc_holds()) {
    refuse({Check::crc, error::kMpaCrc, "the CRC of an FPDU does not hold"}, nullptr);
    return;
  }
  // A responder may send from now on.
  if (!std::exchange(may_send_, true) && !closing_) due_.reset();
  // The two low bits of FPDUPTR have no meaning (RFC 5044, 4.2).
  const bool is_misplaced = std::ranges::any_of(
      fpdu.markers, [](const mpa::Marker& marker) { return (marker.pointer & ~3u) != marker.expected; });
  if (is_misplaced &&
      refuse({Check::marker, error::kMpaMarker, "a marker does not point to the beginning of its FPDU"}, nullptr))
    return;
  take_ulpdu(fpdu);
}

void Endpoint::take_ulpdu(const mpa::Fpdu& fpdu) {
  const auto segment = ddp::decode(fpdu.ulpdu());
  if (!segment) {
    // No layer defines this error. MPA's length must be wrong, and deployed receivers report that.
    refuse({Check::ulpdu_size, error::kMpaMarker,
            "a ULPDU of " + std::to_string(segment.error().have) + " octets is shorter than its DDP header"},
           nullptr);
    return;
  }
  Incoming incoming{segment->header, decode_control(segment->header.rsvd_ulp), segment->payload, fpdu.ulpdu()};
  take_segment(incoming);
  first_segment_ = false;
}

// --------------------------------------------------------------------------------------------- fields of every segment

bool Endpoint::refuse_segment(const Violation& violation, const Incoming& segment) {
  Offender offender = offender_of(segment.ulpdu, segment.header);
  const bool whole_request = segment.control.is(Opcode::read_request) && !segment.header.tagged &&
                             segment.header.qn == kReadRequestQueue && segment.header.mo == 0;
  if (whole_request) offender.read = decode_read_request(segment.payload);
  return refuse(violation, &offender);
}

bool Endpoint::understands_extensions() const {
  return options_.extensions;
}

void Endpoint::take_segment(Incoming& segment) {
  const ddp::Header& header = segment.header;
  const Control& control = segment.control;
  const bool extensions = understands_extensions();
  const std::uint32_t queues = extensions ? kAtomicResponseQueue + 1 : kTerminateQueue + 1;

  if (header.version != ddp::kVersion &&
      refuse_segment({Check::ddp_version, header.tagged ? error::kDdpTaggedVersion : error::kDdpUntaggedVersion,
                      "DV is " + std::to_string(header.version)},
                     segment))
    return;
  if (!header.tagged && header.qn >= queues) {
    refuse_segment({Check::queue_number, error::kDdpInvalidQn, "there is no queue " + std::to_string(header.qn)},
                   segment);
    return;
  }
  if (control.version != 1 &&
      refuse_segment({Check::rdmap_version, error::kInvalidVersion, "RV is " + std::to_string(control.version)},
                     segment))
    return;
  const OpcodeRow* const row = find_opcode(control.opcode);
  if (row == nullptr || (row->extension && !extensions)) {
    refuse_segment({Check::opcode, error::kUnexpectedOpcode, "opcode " + std::to_string(control.opcode)}, segment);
    return;
  }
  if (row->tagged != header.tagged || (!row->tagged && row->queue != header.qn)) {  // RDMAP/A-09
    refuse_segment({Check::queue_of_opcode, error::kUnexpectedOpcode,
                    "a " + std::string(row->name) + " by the wrong queue or buffer model"},
                   segment);
    return;
  }
  take_message(*row, segment);
}

struct Endpoint::Handler {
  Opcode opcode;
  void (Endpoint::*handle)(Incoming& segment);
};

void Endpoint::take_message(const OpcodeRow& row, Incoming& segment) {
  static constexpr std::array<Handler, 12> kHandlers{{
      {Opcode::write, &Endpoint::on_write},
      {Opcode::read_request, &Endpoint::on_request},
      {Opcode::read_response, &Endpoint::on_read_response},
      {Opcode::send, &Endpoint::on_send},
      {Opcode::send_invalidate, &Endpoint::on_send},
      {Opcode::send_se, &Endpoint::on_send},
      {Opcode::send_se_invalidate, &Endpoint::on_send},
      {Opcode::terminate, &Endpoint::on_terminate},
      {Opcode::immediate_data, &Endpoint::on_send},
      {Opcode::immediate_data_se, &Endpoint::on_send},
      {Opcode::atomic_request, &Endpoint::on_request},
      {Opcode::atomic_response, &Endpoint::on_atomic_response},
  }};
  if (row.tagged) tagged_open_ = !segment.header.last;
  (this->*kHandlers[segment.control.opcode].handle)(segment);
}

bool Endpoint::admit(Incoming& segment, std::optional<std::size_t> capacity) {
  const auto error = queues_[segment.header.qn].check(segment.header, segment.payload.size(), capacity);
  if (!error) return true;
  refuse_segment(violation_of_order(*error), segment);
  return false;
}

// Takes an admitted segment. If it was the last one of its message, returns the message: in place, or reassembled.
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
