// SPDX-License-Identifier: Apache-2.0
// Finds operations by the 32-bit IDs that are sent as send_id and recv_id (3.2). An ID may be reused after its
// operation has ended. Its upper half counts how often its slot was used, so that a late packet does not find another
// operation.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace wirelaw::efa {

template <class T>
class IdTable {
 public:
  explicit IdTable(std::size_t limit) : limit_(limit < kMost ? limit : kMost) {}

  bool full() const { return used_ == limit_; }
  std::size_t size() const { return used_; }

  // Inserts a new operation. Requires that the table is not full. Pointers stay valid until the operation is erased.
  T* insert() {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(places_.size()));
      places_.emplace_back();
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    Place& place = places_[index];
    place.value = std::make_unique<T>();
    place.value->id = place.generation << kIndexBits | index;
    ++used_;
    return place.value.get();
  }

  // Returns nullptr if there is no such operation, whatever the ID.
  T* find(std::uint32_t id) {
    const std::uint32_t index = id & (kMost - 1);
    if (index >= places_.size()) return nullptr;
    Place& place = places_[index];
    return place.value != nullptr && place.generation == id >> kIndexBits ? place.value.get() : nullptr;
  }

  void erase(std::uint32_t id) {
    if (find(id) == nullptr) return;
    const std::uint32_t index = id & (kMost - 1);
    places_[index].value.reset();
    places_[index].generation = (places_[index].generation + 1) & (0xffffffffu >> kIndexBits);
    free_.push_back(index);
    --used_;
  }

  // Calls `see` for all operations in slot order. `see` may erase the operation that it gets.
  template <class See>
  void for_each(See see) {
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (places_[i].value != nullptr) see(*places_[i].value);
  }

 private:
  static constexpr unsigned kIndexBits = 16;
  static constexpr std::uint32_t kMost = 1u << kIndexBits;

  struct Place {
    std::unique_ptr<T> value;
    std::uint32_t generation = 0;
  };

  std::size_t limit_;
  std::size_t used_ = 0;
  std::vector<Place> places_;
  std::vector<std::uint32_t> free_;
};

}  // namespace wirelaw::efa
