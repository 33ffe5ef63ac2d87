// SPDX-License-Identifier: Apache-2.0
// The message IDs that one side has used (3.2): a sequence that begins at 0, wraps after 4294967295, and whose packets
// the device may deliver in any order.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>

namespace wirelaw::efa {

class MessageIds {
 public:
  static constexpr std::uint32_t kWindow = 16384;  // how far ahead of the first missing ID the others are kept

  enum class Place : std::uint8_t {
    next,      // the first that was missing
    ahead,     // later than that: IDs before it are missing as yet
    repeated,  // has been used
    too_far,   // neither: beyond the window; the sequence begins again there
  };
  Place add(std::uint32_t id);

  bool any() const { return any_; }
  std::uint32_t first() const { return first_; }   // the first that was seen
  std::uint32_t missing() const { return next_; }  // the lowest that has not been used
  std::uint32_t gaps() const { return ahead_ == 0 ? 0 : newest_ - next_ + 1 - ahead_; }  // IDs below the newest, unused
  std::size_t memory() const { return bits_ ? sizeof *bits_ : 0; }
  // IDs below this one count as used: where a flow was met in mid-stream.
  void begin_at(std::uint32_t id);

 private:
  bool any_ = false;
  std::uint32_t first_ = 0;
  std::uint32_t next_ = 0;
  std::uint32_t newest_ = 0;                    // the farthest ahead
  std::uint32_t ahead_ = 0;                     // bits set
  std::unique_ptr<std::bitset<kWindow>> bits_;  // of IDs from next_ on, by id % kWindow; taken at the first disorder
};

}  // namespace wirelaw::efa
