// SPDX-License-Identifier: Apache-2.0
// The endpoint's start, the calls of its upper layer, and its end.
#include "reference/rdmap/endpoint.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace wirelaw::rdmap {
namespace {

// The opcode of the zero-length message.
Opcode opcode_of(Rtr rtr) {
  static constexpr Opcode kOpcodes[] = {Opcode::send, Opcode::send, Opcode::write,
                                        Opcode::read_request};  // indexed by Rtr
  return kOpcodes[static_cast<std::size_t>(rtr)];
}

}  // namespace

Endpoint::Endpoint(Role role, const Options& options, Buffers& buffers)
    : Endpoint(role, options, buffers, std::make_unique<Startup>(role, options)) {}

Endpoint::Endpoint(Role role, const Options& options, Buffers& buffers, std::unique_ptr<Startup> startup)
    : role_(role),
      options_(options),
      buffers_(buffers),
      stream_(buffers.open_stream()),
      startup_(std::move(startup)),
      queues_{UntaggedQueue(options.first_msn), UntaggedQueue(options.first_msn), UntaggedQueue(options.first_msn),
              UntaggedQueue(options.first_msn)} {
  next_msn_.fill(options.first_msn);
}

Endpoint::~Endpoint() {
  withdraw_all();
  buffers_.close_stream(stream_);
}

// ------------------------------------------------------------------------------------------------------------- buffers

tl::expected<BufferAt, RegisterError> Endpoint::lend(std::span<Octet> memory, std::uint64_t base, Access access) {
  if (device_ == nullptr) {
    const auto stag = buffers_.add(stream_, memory, base, access);
    if (!stag) return tl::unexpected(stag.error());
    return BufferAt{*stag, base};
  }
  const auto at = device_->expose(memory, access);
  if (!at) return tl::unexpected(RegisterError::too_many);
  if (!buffers_.adopt(stream_, at->stag, memory, at->to, access)) {
    device_->withdraw(at->stag);
    return tl::unexpected(RegisterError::too_many);
  }
  exposed_.push_back(at->stag);
  return *at;
}

bool Endpoint::deregister(Stag stag) {
  if (std::erase(exposed_, stag) > 0) device_->withdraw(stag);
  return buffers_.remove(stag);
}

void Endpoint::withdraw_all() {
  while (!exposed_.empty()) deregister(Stag{exposed_.back()});
}

// ------------------------------------------------------------------------------------------------------- the transport

void Endpoint::connected(Instant now, Octets private_data) {
  if (phase_ != Phase::idle) return;
  now_ = now;
  phase_ = Phase::starting;
  limit_startup();
  open(private_data);
}

void Endpoint::receive(Octets octets, Instant now) {
  now_ = now;
  if (failed_) return;
  if (phase_ == Phase::starting || phase_ == Phase::requested) octets = take_start(octets);
  if (phase_ == Phase::operating && !octets.empty()) take_fpdus(octets);
  progress_ = true;
  report_completions();
  settle();
}

void Endpoint::peer_ended(Ending ending, Instant now) {
  now_ = now;
  if (ending == Ending::none || phase_ == Phase::idle || phase_ == Phase::closed) return;
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
  if (!due_ || now < *due_) return;
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
  return phase_ == Phase::closed ? std::nullopt : due_;
}

bool Endpoint::next_octets(OctetBuffer& out) {
  out.clear();
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
  return !out.empty();
}

// ------------------------------------------------------------------------------------------------------------ start-up

void Endpoint::open(Octets private_data) {
  if (role_ == Role::initiator) start_output_ = startup_->request(private_data);
}

void Endpoint::limit_startup() {
  due_ = now_ + options_.startup_timeout;
}

tl::expected<void, PostError> Endpoint::accept(Octets private_data) {
  if (phase_ != Phase::requested || failed_) return tl::unexpected(PostError::not_asked);
  if (!startup_->acceptable()) return tl::unexpected(PostError::not_acceptable);
  if (private_data.size() > startup_->private_data_room()) return tl::unexpected(PostError::too_long);
  grant(private_data);
  return {};
}

void Endpoint::grant(Octets private_data) {
  Writer(start_output_).octets(startup_->accept(private_data));
  due_.reset();
  if (agreement().peer_to_peer) limit_startup();  // the ready-to-receive message is still missing
  begin_operation();
}

tl::expected<void, PostError> Endpoint::reject(Octets private_data) {
  if (phase_ != Phase::requested || failed_) return tl::unexpected(PostError::not_asked);
  if (private_data.size() > startup_->private_data_room()) return tl::unexpected(PostError::too_long);
  refuse_connection(private_data);
  return {};
}

void Endpoint::refuse_connection(Octets private_data) {
  Writer(start_output_).octets(startup_->reject(private_data));
  leave_mpa();
}

void Endpoint::leave_mpa() {
  due_.reset();
  phase_ = Phase::exited;
}

// The peer must not send anything before our reply (RFC 5044, 7.1.2, rule 3).
void Endpoint::take_early(Octets) {
  abort_start("octets after the request, before the reply");
}

Framing Endpoint::framing() const {
  const Agreement& agreed = agreement();
  return {.send_markers = agreed.send_markers,
          .send_crc = agreed.crc,
          .expect_markers = agreed.expect_markers,
          .check_crc = agreed.crc};
}

void Endpoint::begin_operation() {
  phase_ = Phase::operating;
  framing_ = framing();
  framer_.emplace(framing_.send_markers, framing_.send_crc);
  deframer_.emplace(framing_.expect_markers, framing_.check_crc);
  mulpdu_ = options_.mulpdu == 0 ? mpa::mulpdu(options_.emss, framing_.send_markers) : options_.mulpdu;
  mulpdu_ = std::clamp(mulpdu_, mpa::kMinMulpdu, kMaxMulpdu);
  may_send_ = role_ == Role::initiator;
  events_.emplace_back(
      Established{.revision = startup_->peer_revision(),
                  .enhanced = startup_->peer_enhanced(),
                  .private_data = role_ == Role::initiator ? startup_->peer_private_data() : OctetBuffer{}});
  if (role_ != Role::initiator) return;
  due_.reset();
  if (agreement().error) return fail(*agreement().error, nullptr, "the reply cannot be agreed to");
  if (auto ready = ready_to_receive()) work_.push(std::move(*ready));
}

std::optional<Work> Endpoint::ready_to_receive() const {
  if (agreement().rtr == Rtr::none) return std::nullopt;
  return Work{.opcode = opcode_of(agreement().rtr), .internal = true};
}

void Endpoint::abort_start(std::string text) {
  if (failed_) return;
  const bool fall_back =
      role_ == Role::initiator && options_.enhanced && peer_ending_ == Ending::closed && startup_->taken() == 0;
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
  return octets + inbound_.size() * sizeof(InboundRead);
}

// ------------------------------------------------------------------------------------------------------------- the end

void Endpoint::close() {
  if (phase_ == Phase::idle || phase_ == Phase::closed || closing_) return;
  closing_ = true;
  progress_ = false;
  if (phase_ != Phase::operating) stop();
  if (phase_ == Phase::operating && ending_ == Ending::none) due_ = now_ + options_.teardown_timeout;
  settle();
}

void Endpoint::terminate(const ErrorCode& error) {
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

bool Endpoint::refuse(const Violation& violation, const Offender* offender) {
  fail(violation.error, offender, violation.text);
  return true;
}

// Only the first error counts (RFC 5040, 7.1, case 4).
void Endpoint::fail(const ErrorCode& error, const Offender* offender, std::string text) {
  if (failed_ || phase_ != Phase::operating) return;
  const bool terminates = may_terminate();
  if (terminates) terminate_ = terminate_message(error, offender);
  events_.emplace_back(LocalError{.error = error, .text = std::move(text), .terminates = terminates});
  const bool ended = ending_ != Ending::none;
  stop();
  if (ended) ending_ = Ending::reset;
}

// A responder must have seen a valid FPDU, and our direction must not have ended.
bool Endpoint::may_terminate() const {
  return may_send_ && ending_ == Ending::none;
}

OctetBuffer Endpoint::terminate_message(const ErrorCode& error, const Offender* offender) const {
  return build_terminate(error, offender);
}

void Endpoint::stop() {
  failed_ = true;
  work_.fail();
  report_completions();
  receives_.clear();
  inbound_.clear();
  segmenter_ = {};
}

// Returns true if the peer ended its direction with something unfinished.
bool Endpoint::awaits_answer_from_peer() const {
  return phase_ == Phase::operating &&
         (deframer_->pending() > 0 || tagged_open_ || work_.outstanding() > 0 ||
          std::ranges::any_of(queues_, [](const UntaggedQueue& queue) { return queue.amid_message(); }));
}

bool Endpoint::drained() const {
  return work_.size() == 0 && inbound_.empty() && segmenter_.done();
}

void Endpoint::settle() {
  if (phase_ == Phase::idle || phase_ == Phase::closed) return;
  if (ending_ == Ending::none && !terminate_ && (failed_ || (closing_ && drained()))) end();
  if (ending_ == Ending::none || (ending_ == Ending::closed && peer_ending_ == Ending::none)) return;
  phase_ = Phase::closed;
  due_.reset();
  stop();
  events_.emplace_back(Closed{.reset = ending_ == Ending::reset});
}

void Endpoint::end() {
  ending_ = Ending::closed;
  due_ = now_ + options_.teardown_timeout;
}

}  // namespace wirelaw::rdmap
