// SPDX-License-Identifier: Apache-2.0
// One request or response on its way out: cut into fragments, sent within a window, and sent again if it is missing.
// It has no timer: its owner decides when to look for what is missing.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reference/octets/octets.h"
#include "reference/ramcloud/options.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

struct Fragment {
  std::uint16_t number = 0;
  std::uint16_t total = 0;
  bool request_ack = false;
  bool resent = false;
  Octets payload;  // lives as long as the sender
};

class MessageSender {
 public:
  // True if totalFrags can count the fragments of a message of this many octets.
  static bool can_send(std::size_t octets, const Options& options);

  // An empty message is one empty fragment (RAMCLOUD/R20). The caller has asked can_send.
  MessageSender(OctetBuffer message, const Options& options);

  std::uint16_t total() const { return total_; }
  bool acknowledged() const { return acked_count_ == total_; }
  // True if a fragment that asked for an ACK was sent less than an interval ago and has not been answered.
  bool awaits_ack(Instant now) const { return asked_ > 0 && now < asked_at_ + interval_; }

  // The next fragment that was never sent, while the window is open.
  std::optional<Fragment> next_new(Instant now);
  // Resends a fragment, asking for an ACK.
  Fragment resend(std::uint16_t number, Instant now);

  enum class Acked : std::uint8_t { taken, stale, past_end, past_sent };
  // Believes an ACK about what was sent, and nothing else of it.
  Acked acknowledge(const Ack& ack, Instant now);

  // Sent, not acknowledged, and
  // - last sent an interval ago or earlier: overdue;
  // - overdue, or passed over by an ACK that reports a later fragment, or, when an ACK came unasked, any: missing.
  std::vector<std::uint16_t> overdue(Instant now) const;
  std::vector<std::uint16_t> missing(Instant now) const;
  std::vector<std::uint16_t> all_sent() const;
  // If not all is acknowledged and the window's new fragments have been sent, the first that an ACK would miss.
  std::uint16_t first_unacknowledged() const { return static_cast<std::uint16_t>(first_missing_); }

  OctetBuffer release() { return std::move(message_); }

 private:
  struct Sent {
    Instant at{};
    bool again = false;
    bool acked = false;
  };
  Fragment fragment(std::uint16_t number, bool request_ack, bool resent, Instant now);
  void mark(std::size_t number);

  OctetBuffer message_;
  std::size_t fragment_octets_;
  std::size_t window_;
  unsigned ack_every_;
  Instant interval_;
  std::uint16_t total_;
  std::vector<Sent> sent_;  // fragments 0 .. sent_.size() - 1 have been sent
  std::size_t first_missing_ = 0;
  std::size_t acked_count_ = 0;
  std::size_t reported_end_ = 0;  // one after the last acknowledged fragment
  unsigned since_ask_ = 0;
  unsigned asked_ = 0;  // fragments that asked for an ACK, less ACKs
  Instant asked_at_{};
  bool last_ack_unasked_ = false;
};

}  // namespace wirelaw::ramcloud
