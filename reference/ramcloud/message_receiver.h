// SPDX-License-Identifier: Apache-2.0
// Reassembles one request or response from its fragments, which may arrive in any order ("fragNumber", "totalFrags").
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "reference/octet_budget.h"
#include "reference/octets/octets.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

class MessageReceiver {
 public:
  enum class Outcome : std::uint8_t {
    stored,
    duplicate,
    beyond_window,     // further ahead of the first missing fragment than an ACK can report (RAMCLOUD/R18)
    other_total,       // totalFrags differs from that of earlier fragments (RAMCLOUD/R33)
    no_such_fragment,  // fragNumber >= totalFrags; also every fragment if totalFrags is 0 (RAMCLOUD/R20)
    over_budget,
  };

  // `limit`: maximum number of octets in the message.
  MessageReceiver(OctetBudget& budget, std::size_t limit) : charge_(budget), limit_(limit) {}
  MessageReceiver(const MessageReceiver&) = delete;
  MessageReceiver& operator=(const MessageReceiver&) = delete;
  virtual ~MessageReceiver() = default;

  Outcome take(std::uint16_t number, std::uint16_t total, Octets payload);

  bool complete() const { return total_ && first_missing_ >= *total_; }
  bool contains(std::uint16_t number) const { return number < first_missing_ || staged_.contains(number); }
  // totalFrags; 0 before the first fragment.
  std::uint16_t total() const { return total_.value_or(0); }
  // Returns the ACK for the fragments received so far ("Acknowledgement Response Payload Format").
  Ack ack() const;

  // Returns the octets before the first missing fragment: the whole message once complete. Afterwards the receiver
  // holds no octets, but still knows which fragments it has received.
  OctetBuffer release();

 protected:
  // "fragNumber": fragments have numbers below totalFrags.
  virtual bool exists(std::uint16_t number, std::uint16_t total) const { return number < total; }
  // "totalFrags": the first fragment decides (RAMCLOUD/R33).
  virtual std::uint16_t settle_total(std::uint16_t total) { return total_.value_or(total); }
  virtual void on_duplicate(std::uint16_t, Octets) {}
  // Keeps a fragment until those before it have arrived. Returns false if there is no room.
  virtual bool stage(std::uint16_t number, Octets payload);

  // Appends octets to the message. Returns false if there is no room.
  bool append(Octets payload);
  bool is_before_first_missing(std::uint16_t number) const { return number < first_missing_; }

 private:
  void absorb_staged();

  OctetCharge charge_;
  std::size_t limit_;
  std::optional<std::uint16_t> total_;
  std::uint16_t first_missing_ = 0;
  OctetBuffer message_;  // fragments 0 .. first_missing_ - 1
  std::size_t staged_octets_ = 0;
  std::map<std::uint16_t, OctetBuffer> staged_;  // fragments after the first missing one, at most 32
};

}  // namespace wirelaw::ramcloud
