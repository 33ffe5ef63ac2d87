// SPDX-License-Identifier: Apache-2.0
// The message IDs that one side has used (3.2): a sequence that wraps after 4294967295, and whose packets the device
// may deliver in any order. A sequence in order needs no memory.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>

namespace wirelaw::efa {

class MessageIds {
 public:
  static constexpr std::uint32_t kWindow = 16384;  // IDs remembered below the newest one

  enum class Place : std::uint8_t {
    next,      // the first ID of all, or the one after the newest
    ahead,     // it skips IDs after the newest
    late,      // it had been skipped, or is before the first one seen
    repeated,  // it has been used
    unknown,   // too far below the newest to say
  };
  Place add(std::uint32_t id) {
    if (id - newest_ != 1 || !any() || bits_) return add_out_of_order(id);
    newest_ = id;
    ++span_;
    ++used_;
    return Place::next;
  }

  bool any() const { return span_ != 0; }
  std::uint32_t lowest() const { return newest_ - static_cast<std::uint32_t>(span_ - 1); }
  std::uint32_t newest() const { return newest_; }
  bool has(std::uint32_t id) const;
  // Returns true if the ID is between the lowest and the newest.
  bool spans(std::uint32_t id) const { return newest_ - id < span_; }
  // IDs between the lowest and the newest that have not been used.
  std::uint64_t gaps() const { return span_ - used_; }
  // The newest missing ID; nothing if it is too far below the newest.
  std::optional<std::uint32_t> missing() const;
  // Returns true if the sequence has wrapped after 4294967295.
  bool wrapped() const { return any() && span_ > newest_ + std::uint64_t{1}; }
  std::size_t memory() const { return bits_ ? sizeof *bits_ : 0; }

 private:
  using Bits = std::bitset<kWindow>;
  Place add_out_of_order(std::uint32_t id);  // also for the first ID, and for every ID after one out of order
  void disorder();
  bool within(std::uint32_t back) const { return back < kWindow && back < span_; }

  std::uint32_t newest_ = 0;
  std::uint64_t span_ = 0;      // from the lowest to the newest, both counted
  std::uint64_t used_ = 0;      // number of IDs used in that span
  std::unique_ptr<Bits> bits_;  // the newest kWindow IDs, by id % kWindow; allocated at the first disorder
};

}  // namespace wirelaw::efa
