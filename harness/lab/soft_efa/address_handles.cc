// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/address_handles.h"

namespace wirelaw::soft_efa {

std::optional<std::uint16_t> AddressHandles::add(const Gid& gid) {
  if (const auto found = handles_.find(gid); found != handles_.end()) {
    ++found->second.users;
    return found->second.ahn;
  }
  if (taken_.size() >= kNoAhn) return std::nullopt;
  while (next_ == kNoAhn || taken_.contains(next_)) ++next_;
  handles_.emplace(gid, Handle{next_, 1});
  taken_.emplace(next_, gid);
  return next_++;
}

void AddressHandles::remove(const Gid& gid) {
  const auto found = handles_.find(gid);
  if (found == handles_.end() || --found->second.users > 0) return;
  taken_.erase(found->second.ahn);
  handles_.erase(found);
}

std::uint16_t AddressHandles::ahn(const Gid& gid) const {
  const auto found = handles_.find(gid);
  return found == handles_.end() ? kNoAhn : found->second.ahn;
}

}  // namespace wirelaw::soft_efa
