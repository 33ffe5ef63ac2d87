// SPDX-License-Identifier: Apache-2.0
// Sending: sections 3.1.5.1, 3.1.5.4 and 3.1.5.9.
#include <algorithm>
#include <array>
#include <utility>

#include "reference/smbd/endpoint.h"

namespace wirelaw::smbd {
namespace {

constexpr std::array<Octet, kUsualDataOffset - describe(MessageType::data_transfer).octets> kPadding{};

}  // namespace

bool Endpoint::wants_message() const {
  return send_immediate_ || keepalive_ == Keepalive::pending;
}

// 3.1.5.1. A message is cut into fragments as credits allow, so that nothing is sent between its fragments. Each has
// the grant, the flag and the credits of the time when it is sent.
void Endpoint::flush() {
  while (phase_ == Phase::established && send_credits_ > 0) {
    if (queue_.empty() && !wants_message() && !grant_wanted_) break;
    const std::uint16_t granted = grant(send_credits_ == 1);
    if (!may_spend(granted)) break;
    if (!queue_.empty()) {
      send_fragment(granted);
    } else if (granted > 0 || wants_message()) {
      send_empty(granted);
    } else {
      break;
    }
  }
  settle_close();
}

bool Endpoint::may_spend(std::uint16_t granted) const {
  return send_credits_ > 1 || granted > 0;
}

std::uint16_t Endpoint::grant(bool last_credit) {
  credits_.post(post_receives(credits_.wanted(last_credit)));
  return credits_.grant();
}

// Posts none while the upper layer does not fetch its events.
std::uint32_t Endpoint::post_receives(std::uint32_t count) {
  if (backlog_ > options_.backlog_octets) return 0;
  for (std::uint32_t i = 0; i < count; ++i) work_.emplace_back(PostReceive{max_receive_size_});
  return count;
}

std::uint32_t Endpoint::fragment_octets(std::size_t left) const {
  const std::size_t most = max_send_size_ > kUsualDataOffset ? max_send_size_ - kUsualDataOffset : 0;
  return static_cast<std::uint32_t>(std::min(left, most));
}

// Sends the next fragment of the first message (3.1.5.4). The first fragment invalidates the token.
void Endpoint::send_fragment(std::uint16_t granted) {
  Queued& head = queue_.front();
  const std::size_t left = head.data.size() - head.sent;
  const std::uint32_t length = fragment_octets(left);
  const std::size_t begin = head.sent;
  head.sent += length;
  const bool last = head.sent == head.data.size();
  Segment segment{
      .message = {.credits_granted = granted, .remaining_data_length = static_cast<std::uint32_t>(left - length)},
      .first = !std::exchange(head.begun, true),
      .last = last};
  if (length > 0) {
    segment.message.data_offset = kUsualDataOffset;
    segment.message.data_length = length;
    segment.message.padding = kPadding;
    segment.message.buffer = Octets(head.data).subspan(begin, length);
  }
  if (segment.first && options_.remote_invalidation) segment.invalidate = head.invalidate;
  if (last) segment.completes = head.id;
  send_segment(segment);
  if (!last || queue_.empty()) return;
  queued_octets_ -= queue_.front().data.size();
  queue_.pop_front();
}

void Endpoint::send_empty(std::uint16_t granted) {
  Segment segment{.message = {.credits_granted = granted}};
  send_segment(segment);
}

void Endpoint::send_segment(Segment& segment) {
  --send_credits_;
  segment.message.credits_requested = options_.send_credit_target;
  if (keepalive_ == Keepalive::pending) {
    segment.message.flags = flag::kResponseRequested;
    keepalive_ = Keepalive::sent;
    idle_due_ = now_ + options_.keepalive_answer;
  }
  put(segment);
  send_immediate_ = false;
  if (segment.message.credits_granted > 0) {
    grant_wanted_ = false;
    grant_due_.reset();
  }
}

void Endpoint::put(const Segment& segment) {
  post_send(encode(segment.message), segment.invalidate, segment.completes);
}

}  // namespace wirelaw::smbd
