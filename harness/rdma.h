// SPDX-License-Identifier: Apache-2.0
// RDMA between a peer and its transport, sans I/O: what a peer starts, and what others do with its memory. A transport
// without a device that does this calls the owner of the memory instead.
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
  std::optional<std::uint64_t> immediate = {};  // with the write
};

// Whose memory others use.
class RdmaMemory {
 public:
  virtual ~RdmaMemory() = default;
  // The octets, until the next call; nothing if they may not be read.
  virtual std::optional<Octets> rdma_read(const RdmaRange& what) = 0;
  // Takes the octets; false if they may not be written.
  virtual bool rdma_written(PeerId from, const RdmaRange& where, Octets octets, std::optional<std::uint64_t> immediate,
                            Instant now) = 0;
};

// A device that does RDMA itself: the memory that it is to access is registered with it.
class RdmaRegistrar {
 public:
  virtual ~RdmaRegistrar() = default;
  // These octets stay at their place until withdraw(). Nothing if the device registers them not.
  virtual std::optional<RdmaRange> expose(std::span<Octet> octets, RdmaAccess access) = 0;
  virtual void withdraw(std::uint64_t key) = 0;
  // Whether so many octets could be registered now, to read a peer's memory into them.
  virtual bool could_take(std::uint64_t octets) = 0;
};

// A peer that has RDMA (Peer::rdma()).
class RdmaPeer : public RdmaMemory {
 public:
  // Gives the next that it starts; false if there is nothing. Asked after every call of the peer.
  virtual bool next_rdma(RdmaRequest& out) = 0;
  // Called once for each request that was given. `octets`: what was read; empty for a write, or if it was refused.
  virtual void rdma_done(std::uint64_t id, bool ok, Octets octets, Instant now) = 0;

  // --- of a transport with a device: instead of RdmaMemory
  // Before anything else; the registrar outlives the peer.
  virtual void register_with(RdmaRegistrar&) {}
  // The memory that others may use, if the device has placed it.
  virtual std::optional<RdmaRange> offered() { return std::nullopt; }
  // A peer has written so many octets with immediate data; the device has placed them.
  virtual void rdma_received(PeerId, std::uint64_t /*octets*/, std::uint64_t /*immediate*/, Instant) {}
};

}  // namespace wirelaw
