// SPDX-License-Identifier: Apache-2.0
// RDMA between a peer and its transport, sans I/O: requests that a peer starts, and requests of others for its memory.
// A transport without an RDMA device calls the owner of the memory instead.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "conformance/rdma.h"

namespace wirelaw {

struct RdmaRequest {
  enum class Kind : std::uint8_t { read, write };
  Kind kind = Kind::read;
  std::uint64_t id = 0;  // set by the side that starts it
  PeerId peer = 0;
  RdmaRange remote = {};
  OctetBuffer octets = {};                      // to write, as many as `remote` sets
  std::optional<std::uint64_t> immediate = {};  // immediate data of a write
};

// The owner of memory that others use.
class RdmaMemory {
 public:
  virtual ~RdmaMemory() = default;
  // Returns the octets, which are valid until the next call. Empty if they may not be read.
  virtual std::optional<Octets> rdma_read(const RdmaRange& what) = 0;
  // Takes the octets; false if they may not be written.
  virtual bool rdma_written(PeerId from, const RdmaRange& where, Octets octets, std::optional<std::uint64_t> immediate,
                            Instant now) = 0;
};

// A device that does RDMA itself: memory to be accessed must be registered with it.
class RdmaRegistrar {
 public:
  virtual ~RdmaRegistrar() = default;
  // The octets must keep their address until withdraw(). Empty if the device does not register them.
  virtual std::optional<RdmaRange> expose(std::span<Octet> octets, RdmaAccess access) = 0;
  virtual void withdraw(std::uint64_t key) = 0;
  // True if this many octets could be registered now, to read a peer's memory into them.
  virtual bool could_take(std::uint64_t octets) = 0;
};

// A peer that has RDMA (Peer::rdma()).
class RdmaPeer : public RdmaMemory {
 public:
  // Returns the next request that the peer starts in `out`; false if there is none. Called after every call of the
  // peer.
  virtual bool next_rdma(RdmaRequest& out) = 0;
  // Called once for each request. `octets`: the data read; empty for a write, or if the request was refused.
  virtual void rdma_done(std::uint64_t id, bool ok, Octets octets, Instant now) = 0;

  // --- for a transport with a device, instead of RdmaMemory
  // Called before anything else. The registrar outlives the peer.
  virtual void register_with(RdmaRegistrar&) {}
  // The memory that others may use, once the device has registered it.
  virtual std::optional<RdmaRange> offered() { return std::nullopt; }
  // A peer has written this many octets with immediate data, and the device has placed them.
  virtual void rdma_received(PeerId, std::uint64_t /*octets*/, std::uint64_t /*immediate*/, Instant) {}
};

}  // namespace wirelaw
