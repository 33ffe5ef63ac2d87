// SPDX-License-Identifier: Apache-2.0
// Registered memory: peers may read and write it by address, length and key (efa_rma_iov, 3.3), with emulated
// operations or with the transport's RDMA. Every access is checked against its region.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "reference/efa/raw_address.h"
#include "reference/efa/registrar.h"
#include "reference/octets/octets.h"

namespace wirelaw::efa {

class Memory {
 public:
  // Sets the device that does RDMA for this endpoint; all later regions are registered with it if possible. nullptr:
  // RDMA uses Endpoint::rdma_read() and rdma_written().
  void register_with(Registrar* registrar) { registrar_ = registrar; }
  ~Memory();
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Adds a region that owns its octets. The result's `len` is its size. If the registrar refuses it, only packets reach
  // it.
  RmaIov add(OctetBuffer octets, Access access);
  // Same, at an unused address and with an unused key that the caller chooses.
  void add(OctetBuffer octets, Access access, std::uint64_t addr, std::uint64_t key);
  // Adds a region over octets of the caller, which must stay valid until remove(). Returns nothing if the registrar
  // refuses it.
  std::optional<RmaIov> add_view(std::span<Octet> octets, Access access);
  void remove(std::uint64_t key);
  // Returns the octets of a region; empty if there is none.
  Octets octets(std::uint64_t key) const;

  // Returns the octets in `iov`. Returns nothing if they are not all in one region that allows the access. An empty
  // `iov` needs no region (EFA/A-28).
  std::optional<std::span<Octet>> find(const RmaIov& iov, Access access);
  // Returns one span for each element of `iovs`; nothing if one of them is not accessible, or if the sum of the lengths
  // is not `total`.
  std::optional<std::vector<std::span<Octet>>> find_all(Octets iovs, std::uint64_t total, Access access);
  // Returns those octets of `iov` that are in a region, with its key or with any key, whatever access it allows.
  std::span<Octet> part_of(const RmaIov& iov, bool any_key);

 private:
  struct Region {
    std::uint64_t addr = 0;
    std::span<Octet> octets;
    Access access = Access::read_write;
    OctetBuffer owned = {};
    bool registered = false;  // registered with the device
  };
  RmaIov add_region(Region region);
  std::optional<RmaIov> add_registered(Region& region);

  std::map<std::uint64_t, Region> regions_;  // by key
  std::uint64_t next_key_ = 1;
  Registrar* registrar_ = nullptr;
};

// The sum of the lengths in an iov array; nothing if it exceeds 64 bits.
std::optional<std::uint64_t> total_length(Octets iovs);

}  // namespace wirelaw::efa
