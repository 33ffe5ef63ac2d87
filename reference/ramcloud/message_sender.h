// SPDX-License-Identifier: Apache-2.0
// Sends one request or response: cuts it into fragments, sends them within a window, and resends those that are
// missing. It has no timer: its owner decides when to look for missing fragments.
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
  Octets payload;  // valid as long as the sender
};

class MessageSender {
 public:
  // Returns true if a message of this length has few enough fragments for totalFrags.
  static bool can_send(std::size_t octets, const Options& options);

  // An empty message is sent as one empty fragment (RAMCLOUD/R20). Requires can_send().
  MessageSender(OctetBuffer message, const Options& options);

  std::uint16_t total() const { return total_; }
  bool acknowledged() const { return acked_count_ == total_; }
  // Returns true if a fragment that requests an ACK was sent less than an interval ago, without an ACK so far.
  bool awaits_ack(Instant now) const { return asked_ > 0 && now < asked_at_ + interval_; }

  // Returns the next fragment that was never sent, if the window is open.
  std::optional<Fragment> next_new(Instant now);
  // Resends a fragment, and requests an ACK.
  Fragment resend(std::uint16_t number, Instant now);

  enum class Acked : std::uint8_t { taken, stale, past_end, past_sent };
  // Applies an ACK, but only to fragments that have been sent.
  Acked acknowledge(const Ack& ack, Instant now);

  // overdue() and missing() return fragments that have been sent and not acknowledged:
  // - overdue: last sent at least an interval ago;
  // - missing: overdue, or skipped by an ACK that reports a later fragment, or any if an ACK arrived that was not
  // requested.
  std::vector<std::uint16_t> overdue(Instant now) const;
  std::vector<std::uint16_t> missing(Instant now) const;
  std::vector<std::uint16_t> all_sent() const;
  // The first fragment that an ACK would report as missing, if some are not acknowledged and the window's new fragments
  // have been sent.
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
  std::size_t reported_end_ = 0;  // 1 + number of the last acknowledged fragment
  unsigned since_ask_ = 0;
  unsigned asked_ = 0;  // number of ACKs requested, less those received
  Instant asked_at_{};
  bool last_ack_unasked_ = false;
};

}  // namespace wirelaw::ramcloud
