// SPDX-License-Identifier: Apache-2.0
// Receiving: sections 3.1.5.5 and 3.1.5.8, and the Idle Connection Timer (3.1.6.2).
#include <algorithm>
#include <limits>
#include <utility>

#include "reference/smbd/endpoint.h"

namespace wirelaw::smbd {

// 3.1.5.5
void Endpoint::receive(Octets octets, std::optional<Token> invalidated, Instant now) {
  now_ = now;
  if (ended()) return;
  if (phase_ == Phase::negotiating) {
    if (octets.size() > first_receive()) return terminate(Reason::message_longer_than_receive);
    role_ == Role::responder ? on_request(octets) : on_response(octets);
  } else {
    idle_due_ = now + options_.keepalive_interval;
    keepalive_ = Keepalive::none;  // before the message's own flag is checked (ruling SMBD/A5)
    on_data(octets, invalidated);
  }
  flush();
}

constexpr Check<DataTransfer> kDataChecks[] = {
    {Reason::message_longer_than_receive,
     [](const auto&, const auto& limits) { return limits.octets <= limits.max_receive_size; }},
    {Reason::no_credits_requested, [](const auto& one, const auto&) { return one.credits_requested > 0; }},
    {Reason::data_not_aligned, [](const auto& one, const auto&) { return one.data_offset % kDataAlignment == 0; }},
    {Reason::data_beyond_message, [](const auto& one, const auto& limits) { return one.data_end() <= limits.octets; }},
    {Reason::message_too_long_for_reassembly,
     [](const auto& one, const auto& limits) { return one.announced() <= limits.max_fragmented_recv_size; }},
};

std::optional<Reason> Endpoint::check_data(const DataTransfer& message, Octets octets) const {
  return first_broken<DataTransfer>(kDataChecks, message, octets);
}

void Endpoint::on_data(Octets octets, std::optional<Token> invalidated) {
  const auto message = decode_data_transfer(octets);
  if (!message) return terminate(Reason::message_too_short);
  if (const auto reason = check_data(*message, octets)) return terminate(*reason);
  if (!credits_.consume()) return terminate(Reason::no_receive_posted);
  account(*message);
  if (invalidated) invalidated_ = invalidated;
  assemble(*message, data_of(*message, octets));
}

// DataOffset may point anywhere, even into the header (ruling SMBD/A19).
Octets Endpoint::data_of(const DataTransfer& message, Octets octets) const {
  const Octets from = octets.subspan(std::min<std::size_t>(message.data_offset, octets.size()));
  return from.first(std::min<std::size_t>(message.data_length, from.size()));
}

// Sets the target first, so that no grant exceeds the peer's latest request.
void Endpoint::account(const DataTransfer& message) {
  credits_.set_target(message.credits_requested);
  const std::uint32_t room = std::numeric_limits<std::uint32_t>::max() - send_credits_;
  send_credits_ += std::min<std::uint32_t>(message.credits_granted, room);
  if (message.requests_response()) answer_keepalive();
  if (!queue_.empty() || !(options_.grants_for_each ? credits_.below_goal() : credits_.low())) return;
  if (!message.is_empty() && !options_.grants_with_answer) {
    grant_wanted_ = true;
  } else if (!grant_wanted_ && !grant_due_) {
    grant_due_ = now_ + options_.grant_delay;
  }
}

// The answer does not request one itself: otherwise two ends would answer each other for ever (ruling SMBD/A4).
void Endpoint::answer_keepalive() {
  send_immediate_ = true;
}

void Endpoint::assemble(const DataTransfer& message, Octets data) {
  auto assembled = reassembly_.add(data, message.remaining_data_length);
  if (!assembled) return on_broken_fragments(assembled.error());
  if (!*assembled) return;
  if (invalidated_) report(Invalidated{*std::exchange(invalidated_, std::nullopt)});
  deliver(std::move(**assembled));
}

void Endpoint::on_broken_fragments(Reason reason) {
  terminate(reason);
}

// A message without data belongs to SMB Direct, not to the upper layer (ruling SMBD/A18).
void Endpoint::deliver(OctetBuffer&& message) {
  if (!message.empty()) report(Received{std::move(message)});
}

// 3.1.6.2. The timer keeps running if there is no credit for the request, so that the connection ends nevertheless.
void Endpoint::on_idle() {
  if (keepalive_ != Keepalive::none) return terminate(Reason::keepalive_unanswered);
  keepalive_ = Keepalive::pending;
  idle_due_ = now_ + options_.keepalive_answer;
}

}  // namespace wirelaw::smbd
