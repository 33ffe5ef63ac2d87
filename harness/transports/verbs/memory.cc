// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/verbs/memory.h"

#include <cerrno>
#include <cstring>

namespace wirelaw::verbs {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kMost = std::size_t{1} << 30;  // octets registered at the same time

int flags_of(const Access& access) {
  unsigned flags = 0;
  if (access.local_write) flags |= IBV_ACCESS_LOCAL_WRITE;
  if (access.remote_write) flags |= IBV_ACCESS_REMOTE_WRITE;
  if (access.remote_read) flags |= IBV_ACCESS_REMOTE_READ;
  if (access.remote_atomic) flags |= IBV_ACCESS_REMOTE_ATOMIC;
  return static_cast<int>(flags);
}

}  // namespace

Memory::~Memory() {
  for (const auto& [key, region] : regions_) verbs_.dereg_mr(region);
}

tl::expected<void, TransportError> Memory::open(ibv_context* device) {
  domain_.reset(verbs_.alloc_pd(device));
  if (!domain_) return tl::unexpected(failed("ibv_alloc_pd", errno));
  return {};
}

tl::expected<std::span<Octet>, VerbsError> Memory::allocate(std::size_t octets) {
  if (octets > kMost) return tl::unexpected(VerbsError{"more memory than a case may have"});
  const std::size_t whole = (octets / kPage + 1) * kPage;
  auto* const at = static_cast<Octet*>(std::aligned_alloc(kPage, whole));
  if (at == nullptr) return tl::unexpected(VerbsError{"no memory"});
  std::memset(at, 0, whole);
  pages_.emplace_back(at);
  return std::span(at, octets);
}

tl::expected<Region, VerbsError> Memory::reg_mr(std::span<Octet> memory, const Access& access) {
  ibv_mr* const region = verbs_.reg_mr(domain_.get(), memory.data(), memory.size(), flags_of(access));
  if (region == nullptr) return tl::unexpected(VerbsError{failed("ibv_reg_mr", errno).message});
  regions_.emplace(region->lkey, region);
  return Region{.memory = memory,
                .addr = reinterpret_cast<std::uint64_t>(memory.data()),
                .lkey = region->lkey,
                .rkey = region->rkey};
}

tl::expected<void, VerbsError> Memory::dereg_mr(const Region& region) {
  const auto found = regions_.find(region.lkey);
  if (found == regions_.end()) return tl::unexpected(VerbsError{"ibv_dereg_mr: it is not registered"});
  const int error = verbs_.dereg_mr(found->second);
  if (error != 0) return tl::unexpected(VerbsError{failed("ibv_dereg_mr", error).message});
  regions_.erase(found);
  return {};
}

}  // namespace wirelaw::verbs
