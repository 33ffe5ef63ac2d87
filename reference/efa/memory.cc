// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/memory.h"

#include <algorithm>
#include <utility>

namespace wirelaw::efa {
namespace {

// Regions are not adjacent in the address space that peers see, so that an access beyond one never hits another.
constexpr std::uint64_t kFirstAddress = 0x10'0000'0000;
constexpr unsigned kRegionBits = 40;

}  // namespace

Memory::~Memory() {
  for (const auto& [key, region] : regions_)
    if (region.registered) registrar_->withdraw(key);
}

RmaIov Memory::add(OctetBuffer octets, Access access) {
  Region region{.access = access, .owned = std::move(octets)};
  region.octets = region.owned;
  if (const auto registered = add_registered(region)) return *registered;
  return add_region(std::move(region));
}

void Memory::add(OctetBuffer octets, Access access, std::uint64_t addr, std::uint64_t key) {
  Region region{.addr = addr, .access = access, .owned = std::move(octets)};
  region.octets = region.owned;
  regions_.insert_or_assign(key, std::move(region));
}

std::optional<RmaIov> Memory::add_view(std::span<Octet> octets, Access access) {
  Region region{.octets = octets, .access = access};
  return registrar_ != nullptr ? add_registered(region) : add_region(std::move(region));
}

// Moves the region if it is registered.
std::optional<RmaIov> Memory::add_registered(Region& region) {
  if (registrar_ == nullptr) return std::nullopt;
  const auto known = registrar_->expose(region.octets, region.access);
  if (!known) return std::nullopt;
  region.addr = known->addr;
  region.registered = true;
  regions_.insert_or_assign(known->key, std::move(region));
  return known;
}

RmaIov Memory::add_region(Region region) {
  while (regions_.contains(next_key_)) ++next_key_;
  const std::uint64_t key = next_key_++;
  region.addr = kFirstAddress + (key << kRegionBits);
  const RmaIov iov{region.addr, region.octets.size(), key};
  regions_.emplace(key, std::move(region));
  return iov;
}

void Memory::remove(std::uint64_t key) {
  const auto found = regions_.find(key);
  if (found == regions_.end()) return;
  if (found->second.registered) registrar_->withdraw(key);
  regions_.erase(found);
}

Octets Memory::octets(std::uint64_t key) const {
  const auto found = regions_.find(key);
  return found == regions_.end() ? Octets{} : Octets(found->second.octets);
}

std::optional<std::span<Octet>> Memory::find(const RmaIov& iov, Access access) {
  if (iov.len == 0) return std::span<Octet>{};
  const auto found = regions_.find(iov.key);
  if (found == regions_.end()) return std::nullopt;
  const Region& region = found->second;
  const auto wanted = static_cast<unsigned>(access);
  if ((static_cast<unsigned>(region.access) & wanted) != wanted) return std::nullopt;
  if (iov.addr < region.addr) return std::nullopt;
  const std::uint64_t offset = iov.addr - region.addr;
  if (offset > region.octets.size() || region.octets.size() - offset < iov.len) return std::nullopt;
  return region.octets.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(iov.len));
}

std::optional<std::vector<std::span<Octet>>> Memory::find_all(Octets iovs, std::uint64_t total, Access access) {
  if (total_length(iovs) != total) return std::nullopt;
  std::vector<std::span<Octet>> spans;
  spans.reserve(rma_iov_count(iovs));
  for (std::size_t i = 0; i < rma_iov_count(iovs); ++i) {
    const auto span = find(rma_iov_at(iovs, i), access);
    if (!span) return std::nullopt;
    spans.push_back(*span);
  }
  return spans;
}

std::span<Octet> Memory::part_of(const RmaIov& iov, bool any_key) {
  const std::uint64_t end = iov.len > ~std::uint64_t{0} - iov.addr ? ~std::uint64_t{0} : iov.addr + iov.len;
  for (auto& [key, region] : regions_) {
    const std::uint64_t first = std::max(iov.addr, region.addr),
                        last = std::min(end, region.addr + region.octets.size());
    if ((any_key || key == iov.key) && first < last)
      return region.octets.subspan(static_cast<std::size_t>(first - region.addr),
                                   static_cast<std::size_t>(last - first));
  }
  return {};
}

std::optional<std::uint64_t> total_length(Octets iovs) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < rma_iov_count(iovs); ++i)
    if (__builtin_add_overflow(sum, rma_iov_at(iovs, i).len, &sum)) return std::nullopt;
  return sum;
}

}  // namespace wirelaw::efa
