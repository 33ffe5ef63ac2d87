// SPDX-License-Identifier: Apache-2.0
// RDMA next to messages, for transports that have it: the network in memory, and transports over a device. A case may
// play a peer that reads and writes the memory of the implementation under test, and that lets it read and write ours.
// Plain UDP and TCP have no RDMA.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/offers.h"
#include "reference/endpoint.h"
#include "reference/octets/octets.h"

namespace wirelaw {

// Octets of registered memory, as the side that does not own them names them.
struct RdmaRange {
  std::uint64_t addr = 0;
  std::uint64_t len = 0;
  std::uint64_t key = 0;
  friend bool operator==(const RdmaRange&, const RdmaRange&) = default;
};

enum class RdmaAccess : std::uint8_t { read = 1, write = 2, read_write = 3 };

constexpr bool allows(RdmaAccess granted, RdmaAccess wanted) {
  return (static_cast<unsigned>(granted) & static_cast<unsigned>(wanted)) == static_cast<unsigned>(wanted);
}

// An access of the peer's device, or an attempt, to octets of ours.
struct RdmaSeen {
  RdmaRange range;
  RdmaAccess access = RdmaAccess::read;
  bool allowed = false;
  Instant when{};
};

class Rdma {
 public:
  virtual ~Rdma() = default;

  // Lets the peer use these octets, which must keep their address until withdraw(). The device chooses address and key.
  // An error means that the device can register no more memory.
  virtual tl::expected<RdmaRange, TransportError> expose(std::span<Octet> octets, RdmaAccess access) = 0;
  virtual void withdraw(std::uint64_t key) = 0;

  // Both wait until the peer's device answers. The result is empty, or false, if the device refuses or `deadline`
  // passes first. Messages that arrive in the meantime are kept.
  virtual tl::expected<std::optional<OctetBuffer>, TransportError> read(const RdmaRange& what, Instant deadline) = 0;
  // `octets` must have the length of `where`. `immediate` goes to the peer's application with the write.
  virtual tl::expected<bool, TransportError> write(const RdmaRange& where, Octets octets,
                                                   std::optional<std::uint64_t> immediate, Instant deadline) = 0;

  // All accesses of the peer so far, in order. nullptr if the device does not show them.
  virtual const std::vector<RdmaSeen>* seen() const { return nullptr; }
};

extern const OfferKind<Rdma> kRdma;

// nullptr if the transport has no RDMA.
inline Rdma* rdma_of(const Transport& transport) {
  return transport.offers().find(kRdma);
}

}  // namespace wirelaw
