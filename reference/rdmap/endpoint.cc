// SPDX-License-Identifier: Apache-2.0
// An endpoint's life: how it starts, what the upper layer may ask of it, and how it ends.
#include "reference/rdmap/endpoint.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace wirelaw::rdmap {

using enum Deviation;

namespace {

std::array<std::uint32_t, 4> first_msns(const Options& options, const Deviations& deviations) {
  std::array<std::uint32_t, 4> all{};
  all.fill(options.first_msn - (deviations.has(msn_from_zero) ? 1 : 0));
  return all;
}

}  // namespace

Endpoint::Endpoint(Role role, const Options& options, Buffers& buffers, const Deviations& deviations)
    : role_(role),
      options_(options),
      deviations_(deviations.of(role)),
      buffers_(buffers),
      stream_(buffers.open_stream()),
      startup_(role, options, deviations_),
      framing_faults_(framing_faults(deviations_)),
      next_msn_(first_msns(options, deviations_)),
      queues_{UntaggedQueue(options.first_msn), UntaggedQueue(options.first_msn), UntaggedQueue(options.first_msn),
              UntaggedQueue(options.first_msn)} {}

Endpoint::~Endpoint() {
  buffers_.close_stream(stream_);
}

// ------------------------------------------------------------------------------------------------------- the transport

void Endpoint::connected(Instant now, Octets private_data) {
  if (phase_ != Phase::idle) return;
  now_ = now;
  phase_ = Phase::starting;
  if (!deviates(never_times_out)) due_ = now + options_.startup_timeout;
  if (role_ == Role::responder) {
    if (deviates(reply_before_request)) start_output_ = startup_.accept({});
    return;
  }
  start_output_ = startup_.request(private_data);
  if (deviates(request_twice)) start_output_.insert(start_output_.end(), start_output_.begin(), start_output_.end());
  if (deviates(request_cut)) start_output_.pop_back();
  if (deviates(fpdu_before_reply)) Writer(start_output_).octets(stray_fpdu());
}

void Endpoint::receive(Octets octets, Instant now) {
  now_ = now;
  if (failed_ && deviates(places_after_error)) place_after_error(octets);
  if (dead_ || failed_) return;
  if (phase_ == Phase::starting || phase_ == Phase::requested) octets = take_start(octets);
  if (phase_ == Phase::operating && !octets.empty()) take_fpdus(octets);
  progress_ = true;
  report_completions();
  settle();
}

void Endpoint::peer_ended(Ending ending, Instant now) {
  now_ = now;
  if (dead_ || ending == Ending::none || phase_ == Phase::idle || phase_ == Phase::closed) return;
  peer_ending_ = ending;
  if (ending == Ending::reset) {
    if (!failed_ && phase_ != Phase::exited)
      events_.emplace_back(LocalError{.error = error::kMpaConnectionLost, .text = "the peer has reset the stream"});
    stop();
    terminate_.reset();
    ending_ = Ending::reset;
  } else if (phase_ == Phase::starting || phase_ == Phase::requested) {
    abort_start("the peer has closed the stream during the start-up");
  } else if (!failed_ && awaits_answer_from_peer()) {
    fail(error::kMpaConnectionLost, nullptr, "the peer has closed the stream, and owes what it has begun");
  } else if (!failed_ && phase_ == Phase::operating && !may_send_) {
    fail(error::kMpaConnectionLost, nullptr, "the peer has closed the stream before its first FPDU");
  } else if (!failed_ && ending_ == Ending::none) {
    events_.emplace_back(PeerEnded{});
  }
  settle();
}

void Endpoint::advance(Instant now) {
  now_ = now;
  if (dead_ || !due_ || now < *due_) return;
  due_.reset();
  if (ending_ != Ending::none) {
    ending_ = Ending::reset;  // the peer does not end its direction
  } else if (phase_ == Phase::starting || phase_ == Phase::requested) {
    abort_start("the start-up has taken too long");
  } else if (phase_ == Phase::operating && !may_send_) {
    fail(error::kMpaConnectionLost, nullptr, "no ready-to-receive message has come");
  } else if (closing_ && std::exchange(progress_, false)) {
    due_ = now + options_.teardown_timeout;
  } else if (closing_) {
    fail(error::kLocalCatastrophic, nullptr, "what was posted does not come to an end");
  }
  settle();
}

std::optional<Instant> Endpoint::deadline() const {
  return dead_ || phase_ == Phase::closed ? std::nullopt : due_;
}

bool Endpoint::next_octets(OctetBuffer& out) {
  out.clear();
  if (dead_) return false;
  if (!start_output_.empty()) {
    out.swap(start_output_);
    start_output_.clear();
    return true;
  }
  while (out.size() < options_.output_octets && produce(out)) {
  }
  progress_ = progress_ || !out.empty();
  report_completions();
  settle();
  if (out.empty() && !start_output_.empty()) out.swap(start_output_);  // what a deviation sends in the end
  return !out.empty();
}

// ------------------------------------------------------------------------------------------------------------ start-up

tl::expected<void, PostError> Endpoint::accept(Octets private_data) {
  if (phase_ != Phase::requested || failed_) return tl::unexpected(PostError::not_asked);
  if (!startup_.acceptable()) return tl::unexpected(PostError::not_acceptable);
  if (private_data.size() > startup_.private_data_room()) return tl::unexpected(PostError::too_long);
  if (deviates(rejects_everything)) return reject(private_data);
  if (!deviates(reply_missing) && !deviates(reply_before_request))
    Writer(start_output_).octets(startup_.accept(private_data));
  due_.reset();
  if (agreement().peer_to_peer && !deviates(never_times_out)) due_ = now_ + options_.startup_timeout;
  begin_operation();
  if (!early_.empty()) {
    const OctetBuffer early = std::move(early_);
    receive(early, now_);
  }
  return {};
}

tl::expected<void, PostError> Endpoint::reject(Octets private_data) {
  if (phase_ != Phase::requested || failed_) return tl::unexpected(PostError::not_asked);
  if (private_data.size() > startup_.private_data_room()) return tl::unexpected(PostError::too_long);
  if (deviates(reject_closes)) {
    stop();
    settle();
    return {};
  }
  Writer(start_output_).octets(startup_.reject(private_data));
  if (deviates(fpdu_after_rejection)) Writer(start_output_).octets(stray_fpdu());
  due_.reset();
  phase_ = Phase::exited;
  return {};
}

void Endpoint::begin_operation() {
  const Agreement& agreed = agreement();
  phase_ = Phase::operating;
  const bool send_markers = (agreed.send_markers && !deviates(markers_missing)) || deviates(markers_unasked);
  framer_.emplace(send_markers, agreed.crc && !deviates(crc_off));
  deframer_.emplace(agreed.expect_markers, agreed.crc || deviates(crc_checked_unasked));
  mulpdu_ = options_.mulpdu == 0 ? mpa::mulpdu(options_.emss, send_markers) : options_.mulpdu;
  mulpdu_ = std::clamp(mulpdu_, mpa::kMinMulpdu, kMaxMulpdu);
  if (deviates(mulpdu_of_sixty)) mulpdu_ = 60;
  may_send_ = role_ == Role::initiator || deviates(fpdu_before_first);
  events_.emplace_back(
      Established{.revision = startup_.peer_revision(),
                  .enhanced = startup_.peer_enhanced(),
                  .private_data = role_ == Role::initiator ? startup_.peer_private_data() : OctetBuffer{}});
  if (deviates(fpdu_before_first)) work_.push({.opcode = Opcode::send, .internal = true});
  if (role_ != Role::initiator) return;
  due_.reset();
  if (agreed.error) return fail(*agreed.error, nullptr, "the reply cannot be agreed to");

  static constexpr Opcode kRtr[] = {Opcode::send, Opcode::send, Opcode::write, Opcode::read_request};  // by Rtr
  Rtr rtr = agreed.rtr;
  if (deviates(rtr_not_agreed) && rtr != Rtr::none) {
    const mpa::EnhancedData offered = startup_.peer_enhanced().value_or(mpa::EnhancedData{});
    rtr = !offered.rtr_send ? Rtr::send : !offered.rtr_write ? Rtr::write : Rtr::read;
  }
  if (rtr == Rtr::none || deviates(rtr_missing)) return;
  Work work{.opcode = kRtr[static_cast<std::size_t>(rtr)], .internal = true};
  if (deviates(rtr_not_empty)) work.owned.resize(4);
  work_.push(std::move(work));
}

void Endpoint::abort_start(std::string text) {
  if (failed_) return;
  if (deviates(dies_of_bad_start)) {
    dead_ = true;
    return;
  }
  const bool fall_back =
      role_ == Role::initiator && options_.enhanced && peer_ending_ == Ending::closed && startup_.taken() == 0;
  events_.emplace_back(LocalError{.error = error::kMpaStartFrame, .text = std::move(text), .fall_back = fall_back});
  stop();
}

// ----------------------------------------------------------------------------------------------------- the upper layer

tl::expected<ReceiveId, PostError> Endpoint::post_receive(std::size_t capacity) {
  if (failed_ || phase_ == Phase::exited || phase_ == Phase::closed) return tl::unexpected(PostError::not_open);
  if (receives_.size() >= options_.max_receives) return tl::unexpected(PostError::queue_full);
  receives_.push_back({next_receive_, capacity});
  return next_receive_++;
}

tl::expected<WorkId, PostError> Endpoint::post(Work&& work) {
  if (phase_ != Phase::operating || failed_ || closing_) return tl::unexpected(PostError::not_open);
  if (work_.size() >= options_.max_work) return tl::unexpected(PostError::queue_full);
  if (std::max(work.data.size(), work.owned.size()) > std::numeric_limits<std::uint32_t>::max())
    return tl::unexpected(PostError::too_long);
  return work_.push(std::move(work));
}

tl::expected<WorkId, PostError> Endpoint::post_send(Work&& work, SendForm form, Stag invalidate) {
  static constexpr Opcode kForms[] = {Opcode::send, Opcode::send_invalidate, Opcode::send_se,
                                      Opcode::send_se_invalidate};
  work.opcode = kForms[static_cast<std::size_t>(form)];
  work.remote.stag = invalidate;
  return post(std::move(work));
}

tl::expected<WorkId, PostError> Endpoint::post_send(Octets data, SendForm form, Stag invalidate) {
  return post_send(Work{.data = data}, form, invalidate);
}

tl::expected<WorkId, PostError> Endpoint::post_send(OctetBuffer&& data, SendForm form, Stag invalidate) {
  return post_send(Work{.owned = std::move(data)}, form, invalidate);
}

tl::expected<WorkId, PostError> Endpoint::post_write(Octets data, BufferAt remote) {
  return post({.opcode = Opcode::write, .data = data, .remote = remote});
}

tl::expected<WorkId, PostError> Endpoint::post_write(OctetBuffer&& data, BufferAt remote) {
  return post({.opcode = Opcode::write, .owned = std::move(data), .remote = remote});
}

tl::expected<WorkId, PostError> Endpoint::post_read(BufferAt local, BufferAt remote, std::uint32_t size) {
  if (size > 0 && buffers_.look(local.stag, stream_, local.to, size, Use::sink).fault != BufferFault::none)
    return tl::unexpected(PostError::bad_buffer);
  return post({.opcode = Opcode::read_request,
               .read = {.sink_stag = local.stag,
                        .sink_to = local.to,
                        .size = size,
                        .source_stag = remote.stag,
                        .source_to = remote.to}});
}

tl::expected<WorkId, PostError> Endpoint::post_fetch_add(BufferAt remote, std::uint64_t add, std::uint64_t mask) {
  if (!options_.extensions) return tl::unexpected(PostError::no_extensions);
  return post({.opcode = Opcode::atomic_request,
               .atomic = {.reserved_and_opcode = kFetchAdd,
                          .stag = remote.stag,
                          .to = remote.to,
                          .data = add,
                          .data_mask = mask,
                          .compare_mask = ~std::uint64_t{0}}});
}

tl::expected<WorkId, PostError> Endpoint::post_compare_swap(BufferAt remote, std::uint64_t swap,
                                                            std::uint64_t swap_mask, std::uint64_t compare,
                                                            std::uint64_t compare_mask) {
  if (!options_.extensions) return tl::unexpected(PostError::no_extensions);
  return post({.opcode = Opcode::atomic_request,
               .atomic = {.reserved_and_opcode = kCmpSwap,
                          .stag = remote.stag,
                          .to = remote.to,
                          .data = swap,
                          .data_mask = swap_mask,
                          .compare = compare,
                          .compare_mask = compare_mask}});
}

tl::expected<WorkId, PostError> Endpoint::post_immediate(std::uint64_t value, bool solicited) {
  if (!options_.extensions) return tl::unexpected(PostError::no_extensions);
  OctetBuffer octets;
  Writer(octets).big_endian(value);
  if (deviates(immediate_seven_octets)) octets.pop_back();
  return post({.opcode = solicited ? Opcode::immediate_data_se : Opcode::immediate_data, .owned = std::move(octets)});
}

bool Endpoint::next_event(Event& out) {
  if (events_.empty()) return false;
  out = std::move(events_.front());
  events_.pop_front();
  return true;
}

std::size_t Endpoint::memory() const {
  std::size_t octets = deframer_ ? deframer_->memory() : 0;
  for (const OctetBuffer& one : assembly_) octets += one.capacity();
  return octets + inbound_.size() * sizeof(InboundRead) + early_.capacity();
}

// ------------------------------------------------------------------------------------------------------------- the end

void Endpoint::close() {
  if (phase_ == Phase::idle || phase_ == Phase::closed || dead_) return;
  if (closing_) return;
  closing_ = true;
  progress_ = false;
  if (phase_ != Phase::operating) stop();
  if (phase_ == Phase::operating && ending_ == Ending::none) due_ = now_ + options_.teardown_timeout;
  settle();
}

void Endpoint::terminate(const ErrorCode& error) {
  if (dead_) return;
  if (phase_ == Phase::operating) {
    fail(error, nullptr, "the upper layer ends the stream");
  } else if (phase_ != Phase::idle && phase_ != Phase::closed) {
    stop();
  }
  settle();
}

void Endpoint::report_completions() {
  for (Completed done; work_.next_completion(done);) events_.emplace_back(done);
}

// The first error is the one that counts (RFC 5040, 7.1, case 4).
void Endpoint::fail(const ErrorCode& error, const Offender* offender, std::string text) {
  if (failed_ || phase_ != Phase::operating) return;
  if (deviates(goes_silent)) {
    dead_ = true;
    return;
  }
  // Not where a responder has not seen a valid FPDU, and not behind our own end.
  const bool terminates = may_send_ && ending_ == Ending::none && !deviates(terminate_missing) &&
                          !deviates(terminate_missing_stays) && !deviates(reset_for_terminate);
  if (terminates) build_terminate(error, offender, deviations_, terminate_.emplace());
  events_.emplace_back(LocalError{.error = error, .text = std::move(text), .terminates = terminates});
  const bool ended = ending_ != Ending::none;
  stop();
  if (ended || deviates(reset_for_terminate)) ending_ = Ending::reset;
}

void Endpoint::stop() {
  failed_ = true;
  work_.fail();
  report_completions();
  receives_.clear();
  inbound_.clear();
  segmenter_ = {};
  held_ = false;
}

// Whether the peer, which has ended its direction, leaves something open by that.
bool Endpoint::awaits_answer_from_peer() const {
  return phase_ == Phase::operating &&
         (deframer_->pending() > 0 || tagged_open_ || work_.outstanding() > 0 ||
          std::ranges::any_of(queues_, [](const UntaggedQueue& queue) { return queue.amid_message(); }));
}

void Endpoint::settle() {
  if (dead_ || phase_ == Phase::idle || phase_ == Phase::closed) return;
  if (ending_ == Ending::none && !terminate_) {
    const bool drained = work_.size() == 0 && inbound_.empty() && segmenter_.done() && !held_;
    if (failed_) {
      end(Ending::closed);
    } else if (closing_ && drained) {
      end(deviates(resets_at_close) ? Ending::reset : Ending::closed);
    }
  }
  if (ending_ == Ending::none || (ending_ == Ending::closed && peer_ending_ == Ending::none)) return;
  phase_ = Phase::closed;
  due_.reset();
  stop();
  events_.emplace_back(Closed{.reset = ending_ == Ending::reset});
}

void Endpoint::end(Ending ending) {
  if (failed_ && (deviates(terminate_missing_stays) || (terminate_sent_ && deviates(stays_open_after_terminate))))
    return;
  if (deviates(never_closes)) return;
  if (!failed_ && may_send_ && (deviates(closes_inside_fpdu) || deviates(closes_inside_message))) {
    ddp::Header header = header_of(Opcode::send);
    header.last = !deviates(closes_inside_message);
    frame(header, {}, start_output_);
    if (deviates(closes_inside_fpdu)) start_output_.resize(start_output_.size() - mpa::kCrcOctets);
  }
  ending_ = ending;
  due_ = now_ + options_.teardown_timeout;
}

}  // namespace wirelaw::rdmap
