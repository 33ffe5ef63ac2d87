// SPDX-License-Identifier: Apache-2.0
// Deviations at the start and the end of a stream.
#include "reference/rdmap/faults/faulty_endpoint.h"

#include <utility>

#include "reference/rdmap/faults/faulty_startup.h"
#include "reference/rdmap/make_endpoint.h"

namespace wirelaw::rdmap {

using enum Deviation;

namespace {

constexpr std::size_t kEarlyOctets = std::size_t{1} << 20;
constexpr std::size_t kMulpduOfSixty = 60;

}  // namespace

std::unique_ptr<Endpoint> make_endpoint(Role role, const Options& options, Buffers& buffers,
                                        const Deviations& deviations) {
  const Deviations own = deviations.of(role);
  if (own.empty()) return std::make_unique<Endpoint>(role, options, buffers);
  return std::make_unique<FaultyEndpoint>(role, options, buffers, own);
}

FaultyEndpoint::FaultyEndpoint(Role role, const Options& options, Buffers& buffers, const Deviations& deviations)
    : Endpoint(role, options, buffers, std::make_unique<FaultyStartup>(role, options, deviations)),
      deviations_(deviations),
      framing_faults_(framing_faults(deviations)) {
  if (!deviates(msn_from_zero)) return;
  for (std::uint32_t& msn : next_msn_) --msn;
}

// ------------------------------------------------------------------------------------------------------- the transport

void FaultyEndpoint::receive(Octets octets, Instant now) {
  if (failed_ && deviates(places_after_error)) place_after_error(octets);
  if (dead_) return;
  const bool failed_before = failed_;
  Endpoint::receive(octets, now);
  if (!failed_before && failed_ && deviates(places_after_error)) place_after_error({});
}

void FaultyEndpoint::peer_ended(Ending ending, Instant now) {
  if (!dead_) Endpoint::peer_ended(ending, now);
}

void FaultyEndpoint::advance(Instant now) {
  if (!dead_) Endpoint::advance(now);
}

std::optional<Instant> FaultyEndpoint::deadline() const {
  return dead_ ? std::nullopt : Endpoint::deadline();
}

bool FaultyEndpoint::next_octets(OctetBuffer& out) {
  out.clear();
  if (dead_) return false;
  if (Endpoint::next_octets(out)) return true;
  out.swap(start_output_);  // octets that end() has left there
  return !out.empty();
}

void FaultyEndpoint::close() {
  if (!dead_) Endpoint::close();
}

void FaultyEndpoint::terminate(const ErrorCode& error) {
  if (!dead_) Endpoint::terminate(error);
}

// ------------------------------------------------------------------------------------------------------------ start-up

void FaultyEndpoint::open(Octets private_data) {
  Endpoint::open(private_data);
  if (role_ == Role::responder) {
    if (deviates(reply_before_request))
      start_output_ = deviates(rejects_everything) ? startup_->reject({}) : startup_->accept({});
    return;
  }
  if (deviates(request_twice)) start_output_.insert(start_output_.end(), start_output_.begin(), start_output_.end());
  if (deviates(request_cut)) start_output_.pop_back();
  if (deviates(fpdu_before_reply)) Writer(start_output_).octets(stray_fpdu());
}

void FaultyEndpoint::limit_startup() {
  if (!deviates(never_times_out)) Endpoint::limit_startup();
}

void FaultyEndpoint::grant(Octets private_data) {
  if (deviates(rejects_everything)) return refuse_connection(private_data);
  if (deviates(reply_missing) || deviates(reply_before_request)) {
    const OctetBuffer before = start_output_;
    Endpoint::grant(private_data);
    start_output_ = before;
  } else {
    Endpoint::grant(private_data);
  }
  if (early_.empty()) return;
  const OctetBuffer early = std::exchange(early_, {});
  receive(early, now_);
}

void FaultyEndpoint::refuse_connection(Octets private_data) {
  if (!deviates(reject_closes)) return Endpoint::refuse_connection(private_data);
  stop();
  settle();
}

void FaultyEndpoint::leave_mpa() {
  Endpoint::leave_mpa();
  if (deviates(fpdu_after_rejection)) Writer(start_output_).octets(stray_fpdu());
}

void FaultyEndpoint::take_early(Octets octets) {
  if (deviates(accepts_octets_behind_request) && early_.size() < kEarlyOctets) {
    Writer(early_).octets(octets);
  } else {
    Endpoint::take_early(octets);
  }
}

Framing FaultyEndpoint::framing() const {
  Framing framing = Endpoint::framing();
  if (deviates(markers_missing)) framing.send_markers = false;
  if (deviates(markers_unasked)) framing.send_markers = true;
  if (deviates(crc_off)) framing.send_crc = false;
  if (deviates(crc_not_checked)) framing.check_crc = false;
  if (deviates(crc_checked_unasked)) framing.check_crc = true;
  return framing;
}

void FaultyEndpoint::begin_operation() {
  Endpoint::begin_operation();
  if (deviates(mulpdu_of_sixty)) mulpdu_ = kMulpduOfSixty;
  if (!deviates(fpdu_before_first)) return;
  may_send_ = true;
  work_.push({.opcode = Opcode::send, .internal = true});
}

std::optional<Work> FaultyEndpoint::ready_to_receive() const {
  std::optional<Work> ready = Endpoint::ready_to_receive();
  if (!ready || deviates(rtr_missing)) return std::nullopt;
  if (deviates(rtr_not_agreed)) {
    const mpa::EnhancedData offered = startup_->peer_enhanced().value_or(mpa::EnhancedData{});
    ready->opcode = !offered.rtr_send ? Opcode::send : !offered.rtr_write ? Opcode::write : Opcode::read_request;
  }
  if (deviates(rtr_not_empty)) ready->owned.resize(4);
  return ready;
}

void FaultyEndpoint::abort_start(std::string text) {
  if (!failed_ && deviates(dies_of_bad_start)) {
    dead_ = true;
  } else {
    Endpoint::abort_start(std::move(text));
  }
}

// A zero-length Send, framed without regard to the negotiated settings.
OctetBuffer FaultyEndpoint::stray_fpdu() const {
  OctetBuffer head;
  OctetBuffer out;
  ddp::encode({.last = true, .rsvd_ulp = encode_control(control_of(Opcode::send)), .msn = options_.first_msn}, head);
  mpa::Framer(false, true).frame(Octets(head), out);
  return out;
}

// ------------------------------------------------------------------------------------------------------------- the end

void FaultyEndpoint::fail(const ErrorCode& error, const Offender* offender, std::string text) {
  if (failed_ || phase_ != Phase::operating) return;
  if (deviates(goes_silent)) {
    dead_ = true;
    return;
  }
  Endpoint::fail(error, offender, std::move(text));
  if (deviates(reset_for_terminate)) ending_ = Ending::reset;
}

bool FaultyEndpoint::may_terminate() const {
  return Endpoint::may_terminate() && !deviates(terminate_missing) && !deviates(terminate_missing_stays) &&
         !deviates(reset_for_terminate);
}

OctetBuffer FaultyEndpoint::terminate_message(const ErrorCode& error, const Offender* offender) const {
  return build_faulty_terminate(deviations_, error, offender);
}

void FaultyEndpoint::stop() {
  held_.reset();
  Endpoint::stop();
}

bool FaultyEndpoint::drained() const {
  return Endpoint::drained() && !held_;
}

void FaultyEndpoint::settle() {
  if (!dead_) Endpoint::settle();
}

void FaultyEndpoint::end() {
  if (deviates(never_closes)) return;
  if (failed_ && (deviates(terminate_missing_stays) || (terminate_sent_ && deviates(stays_open_after_terminate))))
    return;
  if (!failed_ && may_send_ && (deviates(closes_inside_fpdu) || deviates(closes_inside_message))) {
    ddp::Header header = header_of(Opcode::send);
    header.last = !deviates(closes_inside_message);
    frame(header, {}, start_output_);
    if (deviates(closes_inside_fpdu)) start_output_.resize(start_output_.size() - mpa::kCrcOctets);
  }
  Endpoint::end();
  if (!failed_ && deviates(resets_at_close)) ending_ = Ending::reset;
}

}  // namespace wirelaw::rdmap
