// SPDX-License-Identifier: Apache-2.0
// Deviations in sending: credits, sizes, and the order of messages.
#include <algorithm>
#include <array>
#include <utility>

#include "reference/smbd/faults/faulty_endpoint.h"
#include "reference/smbd/faults/message_faults.h"

namespace wirelaw::smbd {

using enum Deviation;

namespace {

constexpr std::array<Octet, 4> kPadding{};
constexpr std::array<Octet, 8> kStrayData{'w', 'i', 'r', 'e', 'l', 'a', 'w', '!'};
constexpr std::uint32_t kManyCredits = 1000;
constexpr std::uint32_t kTooMuch = 8;  // number of octets by which a segment is too long

}  // namespace

tl::expected<MessageId, SendError> FaultyEndpoint::send(OctetBuffer message, std::optional<Token> invalidate) {
  if (deviates(message_above_fragmented_size) && phase() == Phase::established) max_fragmented_send_size_ = 0xffffffff;
  return Endpoint::send(std::move(message), invalidate);
}

// ------------------------------------------------------------------------------------------------------------ credits

void FaultyEndpoint::flush() {
  if (hangs_) return;
  if (receiving_ && deviates(queue_not_restarted) && !wants_message()) return;
  if (deviates(begins_with_a_message) && phase() == Phase::established && send_credits_ > 1 &&
      !std::exchange(begun_with_message_, true))
    put_stray({});
  if (deviates(spends_without_credit) && !queue_.empty()) send_credits_ = std::max(send_credits_, kManyCredits);
  if (deviates(last_message_first) && send_credits_ > 0 && queue_.size() > 1 && !queue_.front().begun) {
    queue_.push_front(std::move(queue_.back()));
    queue_.pop_back();
  }
  Endpoint::flush();
}

std::uint16_t FaultyEndpoint::grant(bool last_credit) {
  if (deviates(grants_nothing)) return 0;
  if (deviates(last_credit_without_grant)) {
    if (last_credit) return 0;
  } else if (deviates(grants_above_target)) {
    const std::uint32_t goal = 2u * credits_.target();
    if (goal > credits_.posted()) credits_.post(post_receives(goal - credits_.posted()));
  } else if (deviates(grants_at_target) && credits_.wanted(false) == 0 && credits_.ungranted() == 0) {
    credits_.post(post_receives(1));
  }
  return Endpoint::grant(last_credit);
}

std::uint32_t FaultyEndpoint::post_receives(std::uint32_t count) {
  if (!deviates(receives_small)) return Endpoint::post_receives(count);
  const std::uint32_t size = std::exchange(max_receive_size_, max_receive_size_ / 2);
  const std::uint32_t posted = Endpoint::post_receives(count);
  max_receive_size_ = size;
  return posted;
}

bool FaultyEndpoint::may_spend(std::uint16_t granted) const {
  return Endpoint::may_spend(granted) || deviates(last_credit_without_grant);
}

// -------------------------------------------------------------------------------------------------------------- sizes

// The maximum message length that a deviation sets, if any.
std::optional<std::uint32_t> FaultyEndpoint::own_bound() const {
  if (deviates(segment_above_receive_size)) return peer_receive_size_ + kTooMuch;
  if (deviates(segment_above_preferred_size)) return std::min(max_send_size_ + kTooMuch, peer_receive_size_);
  return std::nullopt;
}

std::uint32_t FaultyEndpoint::fragment_octets(std::size_t left) const {
  const auto bound = own_bound();
  if (!bound || *bound <= kUsualDataOffset) return Endpoint::fragment_octets(left);
  return static_cast<std::uint32_t>(std::min<std::size_t>(left, *bound - kUsualDataOffset));
}

// ----------------------------------------------------------------------------------------------------------- messages

void FaultyEndpoint::put(const NegotiateRequest& request) {
  post_send(encode_with_faults(request, deviations_));
  if (deviates(request_twice)) post_send(encode_with_faults(request, deviations_));
}

void FaultyEndpoint::put(const NegotiateResponse& response) {
  const bool succeeds = response.status == status::kSuccess;
  if (succeeds && deviates(response_missing)) return;
  if (succeeds && deviates(response_behind_data)) put_stray_data();
  post_send(encode_with_faults(response, peer_receive_size_, deviations_));
  if (succeeds && deviates(response_twice)) post_send(encode_with_faults(response, peer_receive_size_, deviations_));
}

void FaultyEndpoint::put(const Segment& segment) {
  const DataTransfer& message = segment.message;
  if (message.is_empty()) return put_data(segment);
  if (deviates(negotiates_again) && !std::exchange(negotiated_again_, true)) {
    if (role() == Role::initiator)
      Endpoint::send_request();
    else
      put(success());
  }
  const bool begins = segment.first && !segment.last;
  const bool spare = send_credits_ > 1;
  fragment_ = segment.first ? 0 : fragment_ + 1;
  if (segment.first) first_remaining_ = message.remaining_data_length;
  if (begins && spare && deviates(fragment_without_data))
    put_stray({.remaining_data_length = message.remaining_data_length + message.data_length,
               .data_offset = kUsualDataOffset,
               .padding = kPadding});
  if (leaves_out(segment)) return;
  put_data(segment);
  if (begins && spare && deviates(empty_between_fragments)) put_stray({});
  if (begins && spare && deviates(fragment_repeated)) put_again(segment);
}

// Sends the segment with its faults; holds it back if two fragments are to be swapped.
void FaultyEndpoint::put_data(const Segment& segment) {
  const std::uint32_t target = options_.send_credit_target;
  const Surroundings around{.first = segment.first,
                            .last = segment.last,
                            .first_remaining = first_remaining_,
                            .most_octets = max_send_size_,
                            .most_fragmented = max_fragmented_send_size_,
                            .receive_credits = credits_.posted(),
                            .missing_credits = target > send_credits_ ? target - send_credits_ : 0};
  PostSend send{.octets = encode_with_faults(segment.message, around, deviations_), .invalidate = token_for(segment)};
  if (segment.first && !segment.last && deviates(fragments_swapped)) {
    held_ = std::move(send);
    return;
  }
  post_send(std::move(send.octets), send.invalidate, segment.completes);
  if (!held_) return;
  const PostSend held = *std::exchange(held_, std::nullopt);
  post_send(held.octets, held.invalidate);
}

// Sends a message that nobody has requested, with a credit of its own if there is one.
void FaultyEndpoint::put_stray(DataTransfer message) {
  if (send_credits_ > 0) --send_credits_;
  message.credits_requested = options_.send_credit_target;
  post_send(encode(message));
}

void FaultyEndpoint::put_stray_data() {
  put_stray({.data_offset = kUsualDataOffset,
             .data_length = static_cast<std::uint32_t>(kStrayData.size()),
             .padding = kPadding,
             .buffer = kStrayData});
}

void FaultyEndpoint::put_again(const Segment& segment) {
  DataTransfer message = segment.message;
  message.credits_granted = 0;
  message.flags = 0;
  put_stray(message);
}

bool FaultyEndpoint::leaves_out(const Segment& segment) {
  return deviates(fragment_missing) && fragment_ == 1 && !segment.last;
}

std::optional<Token> FaultyEndpoint::token_for(const Segment& segment) {
  if (segment.first) token_ = segment.invalidate;
  if (deviates(invalidates_nothing)) return std::nullopt;
  if (deviates(invalidates_every_segment) && !segment.message.is_empty()) return token_;
  if (segment.invalidate && deviates(invalidates_other_token)) return *segment.invalidate + 1;
  return segment.invalidate;
}

}  // namespace wirelaw::smbd
