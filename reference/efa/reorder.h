// SPDX-License-Identifier: Apache-2.0
// The order of messages and atomics from one peer (3.2): msg_id counts them and wraps after 4294967295. Packets arrive
// in any order; those of later messages wait, up to a limit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "reference/octet_budget.h"
#include "reference/octets/octets.h"

namespace wirelaw::efa {

class Reorder {
 public:
  Reorder(std::uint32_t first, std::uint32_t window, OctetBudget& budget)
      : expected_(first), window_(window), budget_(&budget) {}

  enum class Place : std::uint8_t {
    next,     // the next message
    ahead,    // within the window
    old,      // the message has begun already
    outside,  // neither
  };
  Place place(std::uint32_t msg_id) const;
  // Keeps a packet that is ahead. Returns false if it is already there or there is no room.
  enum class Kept : std::uint8_t { kept, duplicate, no_room };
  Kept keep(std::uint32_t msg_id, Octets packet);
  // Skips this ID, which is next or ahead, because no message will come with it, and drops its waiting packets. Returns
  // false if too many IDs would be skipped.
  bool skip(std::uint32_t msg_id);
  // The next message has begun.
  void advance() { ++expected_; }
  // Removes and returns a packet of the next message, or of one that has begun. Passes IDs that are skipped.
  std::optional<OctetBuffer> take();

  std::uint32_t expected() const { return expected_; }
  std::size_t packets() const { return count_; }
  void clear();

 private:
  std::optional<OctetBuffer> take_one();

  struct Packet {
    OctetBuffer octets;
    OctetCharge charge;
  };

  std::uint32_t expected_;
  std::uint32_t window_;
  OctetBudget* budget_;
  std::map<std::uint32_t, std::vector<Packet>> ahead_;  // by msg_id
  std::set<std::uint32_t> skipped_;                     // ahead, or next
  std::size_t count_ = 0;
};

}  // namespace wirelaw::efa
