// SPDX-License-Identifier: Apache-2.0
// The tester's RDMA over the network in memory: the device that a case would have.
#pragma once

#include <map>

#include "harness/transports/memory/network.h"

namespace wirelaw {

class MemoryRdma final : public Rdma, public RdmaMemory {
 public:
  // The peer's RDMA with `at` is answered from here, as long as this lives.
  MemoryRdma(Network& network, PeerId at);
  ~MemoryRdma() override;
  MemoryRdma(const MemoryRdma&) = delete;
  MemoryRdma& operator=(const MemoryRdma&) = delete;

  tl::expected<RdmaRange, TransportError> expose(std::span<Octet> octets, RdmaAccess access) override;
  void withdraw(std::uint64_t key) override { exposed_.erase(key); }
  tl::expected<std::optional<OctetBuffer>, TransportError> read(const RdmaRange& what, Instant deadline) override;
  tl::expected<bool, TransportError> write(const RdmaRange& where, Octets octets,
                                           std::optional<std::uint64_t> immediate, Instant deadline) override;
  const std::vector<RdmaSeen>* seen() const override { return &seen_; }

  std::optional<Octets> rdma_read(const RdmaRange& what) override;
  bool rdma_written(PeerId from, const RdmaRange& where, Octets octets, std::optional<std::uint64_t> immediate,
                    Instant now) override;

 private:
  struct Exposed {
    std::uint64_t addr = 0;
    std::span<Octet> octets;
    RdmaAccess access = RdmaAccess::read;
  };

  std::optional<std::span<Octet>> find(const RdmaRange& range, RdmaAccess access) const;
  // Same, for the peer's device; the access is recorded.
  std::optional<std::span<Octet>> reach(const RdmaRange& range, RdmaAccess access);

  Network& network_;
  PeerId at_;
  std::map<std::uint64_t, Exposed> exposed_;  // by key
  std::uint64_t next_key_ = 1;
  std::vector<RdmaSeen> seen_;
};

}  // namespace wirelaw
