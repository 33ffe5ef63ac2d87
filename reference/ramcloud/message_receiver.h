// SPDX-License-Identifier: Apache-2.0
// One request or response put together from its fragments, in whatever order they come ("fragNumber", "totalFrags").
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "reference/octet_budget.h"
#include "reference/octets/octets.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

// Faults that a receiver commits when it is told to; none by default.
struct ReassemblyFaults {
  bool keep_beyond_total = false;  // fragNumber >= totalFrags is kept
  bool follow_total = false;       // the latest totalFrags counts
  bool append_duplicates = false;  // a fragment that comes twice is in the message twice
  bool in_arrival_order = false;   // fragments are concatenated as they come
};

class MessageReceiver {
 public:
  enum class Outcome : std::uint8_t {
    stored,
    duplicate,
    beyond_window,     // further ahead of the first missing fragment than an ACK can report (R18)
    other_total,       // totalFrags is not that of the fragments before (R33)
    no_such_fragment,  // fragNumber >= totalFrags; also every fragment of a message of no fragments (R20)
    over_budget,
  };

  // `limit` bounds the octets of the message.
  MessageReceiver(OctetBudget& budget, std::size_t limit, ReassemblyFaults faults = {})
      : charge_(budget), limit_(limit), faults_(faults) {}

  Outcome take(std::uint16_t number, std::uint16_t total, Octets payload);

  bool complete() const { return total_ && first_missing_ >= *total_; }
  bool contains(std::uint16_t number) const { return number < first_missing_ || staged_.contains(number); }
  // totalFrags; 0 before the first fragment.
  std::uint16_t total() const { return total_.value_or(0); }
  // What an ACK now has to say ("Acknowledgement Response Payload Format").
  Ack ack() const;

  // The octets before the first missing fragment: all of them once complete. Afterwards the receiver holds no octets,
  // and still knows what it has received.
  OctetBuffer release();

 private:
  bool append(Octets payload);
  bool stage(std::uint16_t number, Octets payload);
  Outcome take_duplicate(std::uint16_t number, Octets payload);
  void absorb_staged();

  OctetCharge charge_;
  std::size_t limit_;
  ReassemblyFaults faults_;
  std::optional<std::uint16_t> total_;
  std::uint16_t first_missing_ = 0;
  OctetBuffer message_;  // fragments 0 .. first_missing_ - 1
  std::size_t staged_octets_ = 0;
  std::map<std::uint16_t, OctetBuffer> staged_;  // fragments behind the first missing one, at most 32
};

}  // namespace wirelaw::ramcloud
