// SPDX-License-Identifier: Apache-2.0
// RDMA beside messages, where a transport has it: the network in memory, the device of a later transport. A case may
// play a peer that reads and writes the memory of the implementation under test, and that lets it read and write ours.
// Plain UDP and TCP have none.
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

// Octets of registered memory, as the side names them that does not own them.
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

// What the peer's device has done, or tried to do, with octets of ours.
struct RdmaSeen {
  RdmaRange range;
  RdmaAccess access = RdmaAccess::read;
  bool allowed = false;
  Instant when{};
};

class Rdma {
 public:
  virtual ~Rdma() = default;

  // Lets the peer use these octets, which stay at their place until withdraw(). The device chooses address and key. An
  // error where it registers no more.
  virtual tl::expected<RdmaRange, TransportError> expose(std::span<Octet> octets, RdmaAccess access) = 0;
  virtual void withdraw(std::uint64_t key) = 0;

  // Wait until the peer's device has answered. Nothing, or false, where it refuses, or `deadline` has come first.
  // Messages that come meanwhile are kept.
  virtual tl::expected<std::optional<OctetBuffer>, TransportError> read(const RdmaRange& what, Instant deadline) = 0;
  // `octets` are as many as `where` says. `immediate` goes to the peer's application with the write.
  virtual tl::expected<bool, TransportError> write(const RdmaRange& where, Octets octets,
                                                   std::optional<std::uint64_t> immediate, Instant deadline) = 0;

  // All that the peer has done so far, in its order; nullptr of a device that does not show it.
  virtual const std::vector<RdmaSeen>* seen() const { return nullptr; }
};

extern const OfferKind<Rdma> kRdma;

// nullptr where there is none.
inline Rdma* rdma_of(const Transport& transport) {
  return transport.offers().find(kRdma);
}

}  // namespace wirelaw
