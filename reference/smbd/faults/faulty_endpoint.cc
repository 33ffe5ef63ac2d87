// SPDX-License-Identifier: Apache-2.0
// Deviations in the negotiation, in the timers and at the end of a connection.
#include "reference/smbd/faults/faulty_endpoint.h"

#include <algorithm>
#include <utility>

#include "reference/smbd/make_endpoint.h"

namespace wirelaw::smbd {

using enum Deviation;

namespace {

// Faulty messages that the endpoint accepts instead of ending the connection.
struct Tolerance {
  Deviation deviation;
  Reason reason;
};
constexpr Tolerance kTolerances[] = {
    {accepts_any_version, Reason::version_not_supported},
    {accepts_any_version, Reason::wrong_version},
    {accepts_no_credits, Reason::no_credits_requested},
    {accepts_small_receive_size, Reason::receive_size_too_small},
    {accepts_small_fragmented_size, Reason::fragmented_size_too_small},
    {accepts_no_grant, Reason::no_credits_granted},
    {accepts_large_preferred_size, Reason::preferred_send_size_too_large},
    {accepts_unaligned_data, Reason::data_not_aligned},
    {accepts_data_beyond, Reason::data_beyond_message},
    {accepts_too_much_announced, Reason::message_too_long_for_reassembly},
    {accepts_early_end, Reason::fragments_end_early},
    {accepts_long_message, Reason::message_longer_than_receive},
};

// Faults of a Data Transfer that end the connection.
bool is_of_message(Reason reason) {
  switch (reason) {
    case Reason::message_too_short:
    case Reason::no_credits_requested:
    case Reason::data_not_aligned:
    case Reason::data_beyond_message:
    case Reason::message_too_long_for_reassembly:
    case Reason::fragments_end_early:
    case Reason::fragments_exceed_announcement:
    case Reason::message_longer_than_receive:
      return true;
    default:
      return false;
  }
}

// True for events that are not reported to the upper layer.
template <class What>
bool is(const Event& event) {
  return std::holds_alternative<What>(event);
}

struct Silence {
  Deviation deviation;
  bool (*of)(const Event& event);
};
constexpr Silence kSilences[] = {
    {loss_not_reported, is<Disconnected>},
    {end_not_reported, is<Terminated>},
    {arrival_not_reported, is<Established>},
    {invalidation_not_reported, is<Invalidated>},
    {send_result_lost, is<Sent>},
    {transfer_result_lost, is<Transferred>},
};

// Ends the connection without an answer.
template <class Message>
bool is_refused(const Message& message, const Deviations& deviations) {
  return (!message.trailing.empty() && deviations.has(refuses_trailing_octets)) ||
         (message.reserved != 0 && deviations.has(refuses_reserved_bits));
}

// Compares sizes as signed numbers: one with its highest bit set is below the minimum.
template <class Message>
bool is_negative(const Message& message) {
  constexpr std::uint32_t kHighestBit = 0x80000000;
  return ((message.max_receive_size | message.max_fragmented_size) & kHighestBit) != 0;
}

}  // namespace

bool FaultyEndpoint::enforces(Reason reason) const {
  return std::ranges::none_of(kTolerances,
                              [&](const Tolerance& one) { return one.reason == reason && deviates(one.deviation); });
}

void FaultyEndpoint::receive(Octets octets, std::optional<Token> invalidated, Instant now) {
  if (hangs_) return;
  if (phase() == Phase::negotiating && octets.size() < 32 && deviates(accepts_short_negotiation)) {
    OctetBuffer padded(octets.begin(), octets.end());
    padded.resize(32);
    return Endpoint::receive(padded, invalidated, now);
  }
  const bool was_established = phase() == Phase::established;
  const auto idle = std::pair(idle_due_, keepalive_);
  receiving_ = true;
  if (invalidated_ && deviates(first_token_kept)) invalidated.reset();
  Endpoint::receive(octets, invalidated, now);
  receiving_ = false;
  if (was_established && phase() == Phase::established && deviates(idle_timer_not_restarted))
    std::tie(idle_due_, keepalive_) = idle;
}

void FaultyEndpoint::advance(Instant now) {
  if (!hangs_) Endpoint::advance(now);
}

// ------------------------------------------------------------------------------------------------------- negotiation

void FaultyEndpoint::begin(Instant now) {
  const bool begins = phase() == Phase::idle;
  Endpoint::begin(now);
  if (begins && deviates(negotiation_times_out_early)) *negotiation_due_ -= (*negotiation_due_ - now) / 2;
}

std::size_t FaultyEndpoint::first_receive() const {
  return deviates(first_receive_small) ? describe(MessageType::negotiate_response).octets : Endpoint::first_receive();
}

void FaultyEndpoint::send_request() {
  if (deviates(request_missing)) return;
  if (deviates(data_before_request)) return put_stray_data();
  Endpoint::send_request();
  if (deviates(data_before_response)) put_stray_data();
}

std::optional<Endpoint::Refusal> FaultyEndpoint::check_request(Octets octets) {
  if (const auto request = decode_negotiate_request(octets)) {
    if (is_refused(*request, deviations_)) return Refusal{Reason::request_too_short};
    if (is_negative(*request) && deviates(sizes_signed)) return Refusal{Reason::receive_size_too_small};
    if (deviates(sizes_checked_first)) {
      NegotiateRequest of_good_version = *request;
      of_good_version.min_version = of_good_version.max_version = kVersion1;
      if (const auto refusal = Endpoint::check_request(encode(of_good_version))) return refusal;
    }
    const bool exact = request->min_version == kVersion1 && request->max_version == kVersion1;
    if (!exact && deviates(version_range_refused)) return Refusal{Reason::version_not_supported, status::kNotSupported};
  }
  return Endpoint::check_request(octets);
}

void FaultyEndpoint::adopt_request(const NegotiateRequest& request) {
  peer_receive_size_ = request.max_receive_size;
  const std::uint32_t own = max_receive_size_;
  Endpoint::adopt_request(request);
  if (deviates(receive_size_not_lowered)) max_receive_size_ = own;
  if (deviates(receive_size_below_128)) max_receive_size_ = std::max(std::min(own, request.preferred_send_size), 1u);
}

void FaultyEndpoint::refuse(const Refusal& refusal) {
  if (deviates(bad_negotiation_ignored)) return;
  if (refusal.status && deviates(failure_not_sent)) return terminate(refusal.reason, 0);
  if (!refusal.status && deviates(bad_request_answered))
    return Endpoint::refuse({refusal.reason, status::kNotSupported});
  if (!refusal.status || !deviates(failure_keeps_connection)) return Endpoint::refuse(refusal);
  put(failure(*refusal.status));
  negotiation_due_.reset();
}

std::optional<Reason> FaultyEndpoint::check_response(Octets octets) {
  const auto response = decode_negotiate_response(octets);
  if (response && is_refused(*response, deviations_)) return Reason::response_too_short;
  if (response && is_negative(*response) && deviates(sizes_signed)) return Reason::receive_size_too_small;
  if (response && response->status != status::kSuccess && deviates(accepts_failure_status)) return std::nullopt;
  return Endpoint::check_response(octets);
}

void FaultyEndpoint::adopt_response(const NegotiateResponse& response) {
  peer_receive_size_ = response.max_receive_size;
  const std::uint32_t own = max_receive_size_;
  Endpoint::adopt_response(response);
  if (deviates(receive_size_below_128)) max_receive_size_ = std::max(std::min(own, response.preferred_send_size), 1u);
}

void FaultyEndpoint::establish() {
  const auto due = negotiation_due_;
  Endpoint::establish();
  if (deviates(negotiation_timer_not_stopped)) negotiation_due_ = due;
}

void FaultyEndpoint::on_negotiation_timeout() {
  if (!deviates(negotiation_never_times_out)) Endpoint::on_negotiation_timeout();
}

// ---------------------------------------------------------------------------------------------- timers and the end

void FaultyEndpoint::on_idle() {
  idle_due_ = now_ + options_.keepalive_interval;
  if (deviates(keepalive_not_sent)) return;
  if (keepalive_ != Keepalive::none && deviates(keepalive_never_gives_up)) {
    keepalive_ = Keepalive::none;
    return;
  }
  if (keepalive_ == Keepalive::sent && deviates(keepalive_repeated) && asked_ < 2) {
    ++asked_;
    keepalive_ = Keepalive::none;
  }
  Endpoint::on_idle();
}

void FaultyEndpoint::terminate(Reason reason, std::uint32_t nt_status) {
  const bool timed_out = reason == Reason::negotiation_timeout;
  if (phase() == Phase::negotiating && !timed_out && deviates(bad_negotiation_ignored)) return;
  if (phase() == Phase::established && is_of_message(reason)) {
    if (deviates(ignores_bad_messages)) return;
    if (reason == Reason::message_too_short && deviates(accepts_short_message)) return;
    if (deviates(hangs_on_bad_message)) return hang();
  }
  Endpoint::terminate(reason, nt_status);
}

void FaultyEndpoint::hang() {
  hangs_ = true;
  for (auto* due : {&negotiation_due_, &idle_due_, &grant_due_, &close_due_}) due->reset();
}

void FaultyEndpoint::report(Event event) {
  for (const Silence& one : kSilences)
    if (deviates(one.deviation) && one.of(event)) return;
  if (auto* const transferred = std::get_if<Transferred>(&event); transferred != nullptr)
    transferred->ok = transferred->ok || deviates(transfer_result_wrong);
  report_token_again(event);
  Endpoint::report(std::move(event));
}

// Reports a token again, before a message that invalidates none.
void FaultyEndpoint::report_token_again(const Event& event) {
  if (deviates(token_at_first) && std::holds_alternative<Established>(event)) reported_ = Token{};
  if (const auto* const invalidated = std::get_if<Invalidated>(&event)) {
    reported_ = deviates(invalidation_reported_twice) ? std::optional(invalidated->token) : std::nullopt;
    with_message_ = true;
  }
  if (!std::holds_alternative<Received>(event) || std::exchange(with_message_, false) || !reported_) return;
  Endpoint::report(Invalidated{*std::exchange(reported_, std::nullopt)});
}

Parameters FaultyEndpoint::parameters() const {
  Parameters own = Endpoint::parameters();
  if (deviates(read_write_size_wrong)) own.max_read_write_size *= 2;
  if (deviates(read_write_size_at_first) && phase() != Phase::established)
    own.max_read_write_size = options_.max_read_write_size;
  if (deviates(keepalive_interval_wrong)) own.keepalive_interval = {};
  if (!deviates(parameters_wrong)) return own;
  own.max_send_size = options_.max_send_size;
  own.max_receive_size = options_.max_receive_size;
  own.max_fragmented_send_size = options_.max_fragmented_recv_size;
  own.max_read_write_size = options_.max_read_write_size;
  return own;
}

std::unique_ptr<Endpoint> make_endpoint(Role role, const Options& options, Registrar& registrar,
                                        const Deviations& deviations) {
  const Deviations own = deviations.of(role);
  if (own.empty()) return std::make_unique<Endpoint>(role, options, registrar);
  return std::make_unique<FaultyEndpoint>(role, options, registrar, own);
}

}  // namespace wirelaw::smbd
