// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/vm/memory.h"

#include <algorithm>
#include <utility>

namespace wirelaw::umsp {
namespace {

constexpr std::uint64_t kAlignment = 16;

// The last address of an area, which is never empty.
std::uint64_t last_of(std::uint64_t address, const Area& area) {
  return address + (area.octets.size() - 1);
}

}  // namespace

TaskMemory::TaskMemory(std::size_t address_octets)
    : last_(address_octets >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << address_octets * 8) - 1) {}

bool TaskMemory::add(std::uint64_t address, AreaKind kind, OctetBuffer octets) {
  if (octets.empty() || address > last_ || octets.size() - 1 > last_ - address) return false;
  const std::uint64_t end = address + (octets.size() - 1);
  const auto behind = areas_.lower_bound(address);
  if (behind != areas_.end() && behind->first <= end) return false;
  if (behind != areas_.begin()) {
    const auto& [start, area] = *std::prev(behind);
    if (last_of(start, area) >= address) return false;
  }
  areas_.emplace_hint(behind, address, Area{kind, std::move(octets)});
  return true;
}

std::optional<std::uint64_t> TaskMemory::find_room(std::uint64_t from, std::size_t octets) const {
  const auto aligned = [&](std::uint64_t address) -> std::optional<std::uint64_t> {
    const std::uint64_t missing = (kAlignment - address % kAlignment) % kAlignment;
    if (address > last_ || missing > last_ - address) return std::nullopt;
    return address + missing;
  };
  auto address = aligned(from);
  auto area = areas_.upper_bound(from);
  if (area != areas_.begin()) --area;
  for (; address && area != areas_.end(); ++area) {
    const std::uint64_t end = last_of(area->first, area->second);
    if (end < *address) continue;
    if (area->first > *address && area->first - *address >= octets) break;
    address = end == ~std::uint64_t{0} ? std::nullopt : aligned(end + 1);
  }
  if (!address || octets - 1 > last_ - *address) return std::nullopt;
  return address;
}

void TaskMemory::remove(std::uint64_t address) {
  areas_.erase(address);
}

const Area* TaskMemory::find(std::uint64_t address) const {
  const auto found = areas_.find(address);
  return found == areas_.end() ? nullptr : &found->second;
}

const Area* TaskMemory::find(std::uint64_t address, std::uint64_t octets) const {
  auto area = areas_.upper_bound(address);
  if (area == areas_.begin()) return nullptr;
  --area;
  const std::uint64_t offset = address - area->first;
  const std::uint64_t there = area->second.octets.size();
  return offset < there && octets <= there - offset ? &area->second : nullptr;
}

std::optional<Octets> TaskMemory::look(std::uint64_t address, std::uint64_t octets) const {
  auto area = areas_.upper_bound(address);
  if (find(address, octets) == nullptr) return std::nullopt;
  --area;
  return Octets(area->second.octets)
      .subspan(static_cast<std::size_t>(address - area->first), static_cast<std::size_t>(octets));
}

bool TaskMemory::write(std::uint64_t address, Octets octets) {
  auto area = areas_.upper_bound(address);
  if (find(address, octets.size()) == nullptr) return false;
  --area;
  if (!is_writable(area->second.kind)) return false;
  const auto offset = static_cast<std::ptrdiff_t>(address - area->first);
  std::ranges::copy(octets, area->second.octets.begin() + offset);
  return true;
}

}  // namespace wirelaw::umsp
