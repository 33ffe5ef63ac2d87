// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/message_sender.h"

#include <algorithm>
#include <limits>

namespace wirelaw::ramcloud {
namespace {

std::size_t count_fragments(std::size_t octets, const Options& options) {
  return std::max<std::size_t>(1, octets / options.fragment_octets + (octets % options.fragment_octets != 0 ? 1 : 0));
}

}  // namespace

bool MessageSender::can_send(std::size_t octets, const Options& options) {
  return count_fragments(octets, options) <= std::numeric_limits<std::uint16_t>::max();
}

MessageSender::MessageSender(OctetBuffer message, const Options& options)
    : message_(std::move(message)),
      fragment_octets_(options.fragment_octets),
      window_(options.window),
      ack_every_(options.ack_every),
      interval_(options.interval),
      total_(static_cast<std::uint16_t>(count_fragments(message_.size(), options))) {}

std::optional<Fragment> MessageSender::next_new(Instant now) {
  const std::size_t end = std::min<std::size_t>({total_, acked_count_ + window_, first_missing_ + 1 + kStagingBits});
  if (sent_.size() >= end) return std::nullopt;
  const auto number = static_cast<std::uint16_t>(sent_.size());
  sent_.push_back({.at = now});
  return fragment(number, since_ask_ + 1 >= ack_every_, false, now);
}

Fragment MessageSender::resend(std::uint16_t number, Instant now) {
  sent_[number].at = now;
  sent_[number].again = true;
  return fragment(number, true, true, now);
}

Fragment MessageSender::fragment(std::uint16_t number, bool request_ack, bool resent, Instant now) {
  since_ask_ = request_ack ? 0 : since_ask_ + 1;
  if (request_ack) {
    asked_ = now < asked_at_ + interval_ ? asked_ + 1 : 1;
    asked_at_ = now;
  }
  const std::size_t start = number * fragment_octets_;
  const std::size_t length = std::min(fragment_octets_, message_.size() - start);
  return {.number = number,
          .total = total_,
          .request_ack = request_ack,
          .resent = resent,
          .payload = Octets(message_).subspan(start, length)};
}

MessageSender::Acked MessageSender::acknowledge(const Ack& ack, Instant now) {
  if (ack.first_missing_frag > total_) return Acked::past_end;
  if (ack.first_missing_frag > sent_.size()) return Acked::past_sent;
  last_ack_unasked_ = !awaits_ack(now);
  if (asked_ > 0) --asked_;
  if (ack.first_missing_frag < first_missing_) return Acked::stale;
  for (std::size_t number = first_missing_; number < ack.first_missing_frag; ++number) mark(number);
  for (unsigned bit = 0; bit < kStagingBits; ++bit)
    if ((ack.staging_vector >> bit & 1) != 0) mark(std::size_t{ack.first_missing_frag} + 1 + bit);
  while (first_missing_ < sent_.size() && sent_[first_missing_].acked) ++first_missing_;
  return Acked::taken;
}

void MessageSender::mark(std::size_t number) {
  if (number >= sent_.size() || sent_[number].acked) return;
  sent_[number].acked = true;
  ++acked_count_;
  reported_end_ = std::max(reported_end_, number + 1);
}

std::vector<std::uint16_t> MessageSender::overdue(Instant now) const {
  std::vector<std::uint16_t> numbers;
  for (std::size_t number = first_missing_; number < sent_.size(); ++number)
    if (!sent_[number].acked && sent_[number].at + interval_ <= now)
      numbers.push_back(static_cast<std::uint16_t>(number));
  return numbers;
}

std::vector<std::uint16_t> MessageSender::missing(Instant now) const {
  std::vector<std::uint16_t> numbers;
  for (std::size_t number = first_missing_; number < sent_.size(); ++number) {
    const Sent& fragment = sent_[number];
    const bool overdue = fragment.at + interval_ <= now;
    const bool passed_over = number < reported_end_ && !fragment.again;
    if (!fragment.acked && (overdue || passed_over || last_ack_unasked_))
      numbers.push_back(static_cast<std::uint16_t>(number));
  }
  return numbers;
}

std::vector<std::uint16_t> MessageSender::all_sent() const {
  std::vector<std::uint16_t> numbers;
  for (std::size_t number = 0; number < sent_.size(); ++number) numbers.push_back(static_cast<std::uint16_t>(number));
  return numbers;
}

}  // namespace wirelaw::ramcloud
