// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/memory/memory_rdma.h"

#include <algorithm>

namespace wirelaw {
namespace {

// The number of regions that a device registers; a real one has room for more.
constexpr std::size_t kRegistrations = 1024;
// Buffers are far apart, so that an access beyond one never hits another.
constexpr unsigned kAddressBits = 40;
// More than any case looks at.
constexpr std::size_t kMostSeen = 65'536;

}  // namespace

MemoryRdma::MemoryRdma(Network& network, PeerId at) : network_(network), at_(at) {
  network_.answer_rdma(at_, this);
}

MemoryRdma::~MemoryRdma() {
  network_.answer_rdma(at_, nullptr);
}

tl::expected<RdmaRange, TransportError> MemoryRdma::expose(std::span<Octet> octets, RdmaAccess access) {
  if (exposed_.size() >= kRegistrations)
    return tl::unexpected(TransportError{"no more memory can be registered", "withdraw what is not used any more"});
  const std::uint64_t key = next_key_++;
  const std::uint64_t addr = key << kAddressBits;
  exposed_.emplace(key, Exposed{addr, octets, access});
  return RdmaRange{addr, octets.size(), key};
}

tl::expected<std::optional<OctetBuffer>, TransportError> MemoryRdma::read(const RdmaRange& what, Instant deadline) {
  return network_.do_rdma(at_, {.remote = what}, deadline);
}

tl::expected<bool, TransportError> MemoryRdma::write(const RdmaRange& where, Octets octets,
                                                     std::optional<std::uint64_t> immediate, Instant deadline) {
  RdmaRequest request{.kind = RdmaRequest::Kind::write, .remote = where, .immediate = immediate};
  request.octets.assign(octets.begin(), octets.end());
  return network_.do_rdma(at_, std::move(request), deadline).map([](const auto& done) { return done.has_value(); });
}

std::optional<std::span<Octet>> MemoryRdma::find(const RdmaRange& range, RdmaAccess access) const {
  const auto found = exposed_.find(range.key);
  if (found == exposed_.end() || !allows(found->second.access, access)) return std::nullopt;
  const Exposed& one = found->second;
  if (range.addr < one.addr || range.addr - one.addr > one.octets.size()) return std::nullopt;
  const auto offset = static_cast<std::size_t>(range.addr - one.addr);
  if (one.octets.size() - offset < range.len) return std::nullopt;
  return one.octets.subspan(offset, static_cast<std::size_t>(range.len));
}

std::optional<std::span<Octet>> MemoryRdma::reach(const RdmaRange& range, RdmaAccess access) {
  const auto found = find(range, access);
  if (seen_.size() < kMostSeen) seen_.push_back({range, access, found.has_value(), network_.now()});
  return found;
}

std::optional<Octets> MemoryRdma::rdma_read(const RdmaRange& what) {
  const auto found = reach(what, RdmaAccess::read);
  if (!found) return std::nullopt;
  return Octets(*found);
}

bool MemoryRdma::rdma_written(PeerId, const RdmaRange& where, Octets octets, std::optional<std::uint64_t>, Instant) {
  const auto found = reach(where, RdmaAccess::write);
  if (!found || found->size() != octets.size()) return false;
  std::ranges::copy(octets, found->begin());
  return true;
}

}  // namespace wirelaw
