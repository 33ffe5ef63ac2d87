// SPDX-License-Identifier: Apache-2.0
// The negotiation: sections 3.1.5.2, 3.1.5.3, 3.1.5.6 and 3.1.5.7.
#include <algorithm>

#include "reference/smbd/endpoint.h"

namespace wirelaw::smbd {
namespace {

std::uint32_t lowered(std::uint32_t own, std::uint32_t by_peer) {
  return std::max(std::min(own, by_peer), kLeastMaxReceiveSize);
}

}  // namespace

// 3.1.5.2
void Endpoint::send_request() {
  put(NegotiateRequest{.credits_requested = options_.send_credit_target,
                       .preferred_send_size = max_send_size_,
                       .max_receive_size = max_receive_size_,
                       .max_fragmented_size = options_.max_fragmented_recv_size});
}

void Endpoint::put(const NegotiateRequest& request) {
  post_send(encode(request));
}

void Endpoint::put(const NegotiateResponse& response) {
  post_send(encode(response));
}

void Endpoint::on_negotiation_timeout() {
  terminate(Reason::negotiation_timeout);
}

// ----------------------------------------------------------------------------------------------------------- listener

// In the order of the text (ruling SMBD/A26): an unknown version gets an answer, whatever else is wrong.
constexpr Check<NegotiateRequest> kRequestChecks[] = {
    {Reason::version_not_supported,
     [](const auto& one, const auto&) { return one.min_version <= kVersion1 && one.max_version >= kVersion1; }},
    {Reason::no_credits_requested, [](const auto& one, const auto&) { return one.credits_requested > 0; }},
    {Reason::receive_size_too_small,
     [](const auto& one, const auto&) { return one.max_receive_size >= kLeastMaxReceiveSize; }},
    {Reason::fragmented_size_too_small,
     [](const auto& one, const auto&) { return one.max_fragmented_size >= kLeastMaxFragmentedSize; }},
};

std::optional<Endpoint::Refusal> Endpoint::check_request(Octets octets) {
  const auto request = decode_negotiate_request(octets);
  if (!request) return Refusal{Reason::request_too_short};
  const auto reason = first_broken<NegotiateRequest>(kRequestChecks, *request, octets);
  if (!reason) return std::nullopt;
  if (*reason == Reason::version_not_supported) return Refusal{*reason, status::kNotSupported};
  return Refusal{*reason};
}

void Endpoint::adopt_request(const NegotiateRequest& request) {
  max_receive_size_ = lowered(max_receive_size_, request.preferred_send_size);
  credits_.set_target(request.credits_requested);
  max_send_size_ = std::min(max_send_size_, request.max_receive_size);
  max_fragmented_send_size_ = request.max_fragmented_size;
}

void Endpoint::on_request(Octets octets) {
  if (const auto refusal = check_request(octets)) return refuse(*refusal);
  if (const auto request = decode_negotiate_request(octets)) {
    if (request->preferred_send_size > options_.most_preferred_send_size)
      return refuse({Reason::no_receives, status::kInsufficientResources});
    adopt_request(*request);
  }
  credits_.limit(options_.receive_octets / max_receive_size_);
  credits_.post(post_receives(credits_.wanted(false)));
  if (credits_.posted() == 0) return refuse({Reason::no_receives, status::kInsufficientResources});
  put(success());
  establish();
}

// 3.1.5.6; after a failure response the connection ends in order (3.1.5.3).
void Endpoint::refuse(const Refusal& refusal) {
  if (!refusal.status) return terminate(refusal.reason);
  put(failure(*refusal.status));
  report(Terminated{refusal.reason, *refusal.status});
  end(false);
}

NegotiateResponse Endpoint::failure(std::uint32_t nt_status) const {
  return {.status = nt_status};
}

NegotiateResponse Endpoint::success() const {
  return {.negotiated_version = kVersion1,
          .credits_requested = options_.send_credit_target,
          .credits_granted = static_cast<std::uint16_t>(credits_.posted()),
          .max_read_write_size = max_read_write_size_,
          .preferred_send_size = max_send_size_,
          .max_receive_size = max_receive_size_,
          .max_fragmented_size = options_.max_fragmented_recv_size};
}

// ---------------------------------------------------------------------------------------------------------- initiator

// Checks Status first, so that the upper layer learns the reason (ruling SMBD/A27: any order).
constexpr Check<NegotiateResponse> kResponseChecks[] = {
    {Reason::negotiation_failed, [](const auto& one, const auto&) { return one.status == status::kSuccess; }},
    {Reason::wrong_version, [](const auto& one, const auto&) { return one.negotiated_version == kVersion1; }},
    {Reason::receive_size_too_small,
     [](const auto& one, const auto&) { return one.max_receive_size >= kLeastMaxReceiveSize; }},
    {Reason::fragmented_size_too_small,
     [](const auto& one, const auto&) { return one.max_fragmented_size >= kLeastMaxFragmentedSize; }},
    {Reason::no_credits_granted, [](const auto& one, const auto&) { return one.credits_granted > 0; }},
    {Reason::no_credits_requested, [](const auto& one, const auto&) { return one.credits_requested > 0; }},
    {Reason::preferred_send_size_too_large,
     [](const auto& one, const auto& limits) { return one.preferred_send_size <= limits.max_receive_size; }},
};

std::optional<Reason> Endpoint::check_response(Octets octets) {
  const auto response = decode_negotiate_response(octets);
  if (!response) return Reason::response_too_short;
  return first_broken<NegotiateResponse>(kResponseChecks, *response, octets);
}

void Endpoint::adopt_response(const NegotiateResponse& response) {
  credits_.set_target(response.credits_requested);
  max_receive_size_ = lowered(max_receive_size_, response.preferred_send_size);
  max_send_size_ = std::min(max_send_size_, response.max_receive_size);
  max_read_write_size_ = std::min(options_.max_read_write_size, response.max_read_write_size);
  send_credits_ = response.credits_granted;
  max_fragmented_send_size_ = response.max_fragmented_size;
}

void Endpoint::on_response(Octets octets) {
  const auto response = decode_negotiate_response(octets);
  if (const auto reason = check_response(octets)) return terminate(*reason, response ? response->status : 0);
  if (response) adopt_response(*response);
  credits_.limit(options_.receive_octets / max_receive_size_);
  credits_.post(post_receives(credits_.wanted(false)));
  if (credits_.posted() == 0) return terminate(Reason::no_receives);
  establish();
}

// --------------------------------------------------------------------------------------------------------------- both

void Endpoint::establish() {
  // A listener's response grants the receives that it has posted; an initiator grants them with its first message
  // (ruling SMBD/A41).
  if (role_ == Role::responder) credits_.grant();
  negotiation_due_.reset();
  idle_due_ = now_ + options_.keepalive_interval;
  phase_ = Phase::established;
  report(Established{parameters()});
}

}  // namespace wirelaw::smbd
