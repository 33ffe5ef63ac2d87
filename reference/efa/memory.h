// SPDX-License-Identifier: Apache-2.0
// Registered memory: what peers may read and write by address, length and key (efa_rma_iov, 3.3), through emulated
// operations or through the transport's RDMA. Every access is checked against its region.
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
  // The device that does RDMA for this endpoint; from now on it knows every region that it can. nullptr: RDMA comes
  // through Endpoint::rdma_read() and rdma_written().
  void register_with(Registrar* registrar) { registrar_ = registrar; }
  ~Memory();
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // A region with its own octets. The result's `len` is its size. One that the registrar does not take is reached by
  // packets alone.
  RmaIov add(OctetBuffer octets, Access access);
  // Same, at an address and with a key that the caller chooses, and that no other region has.
  void add(OctetBuffer octets, Access access, std::uint64_t addr, std::uint64_t key);
  // A region over octets that somebody else keeps at their place until remove(). Nothing if the registrar does not
  // take it.
  std::optional<RmaIov> add_view(std::span<Octet> octets, Access access);
  void remove(std::uint64_t key);
  // The octets of a region; empty if there is none.
  Octets octets(std::uint64_t key) const;

  // The octets that `iov` names. Nothing if they are not all in one region that allows the access. An empty `iov` needs
  // no region (EFA/A-28).
  std::optional<std::span<Octet>> find(const RmaIov& iov, Access access);
  // One span for each element of `iovs`. Nothing if one of them is not accessible, or if the lengths do not sum up to
  // `total`.
  std::optional<std::vector<std::span<Octet>>> find_all(Octets iovs, std::uint64_t total, Access access);
  // Those octets of `iov` that are of a region, under its key or under any, whatever access it allows.
  std::span<Octet> part_of(const RmaIov& iov, bool any_key);

 private:
  struct Region {
    std::uint64_t addr = 0;
    std::span<Octet> octets;
    Access access = Access::read_write;
    OctetBuffer owned = {};
    bool registered = false;  // with the registrar
  };
  RmaIov add_region(Region region);
  std::optional<RmaIov> add_registered(Region& region);

  std::map<std::uint64_t, Region> regions_;  // by key
  std::uint64_t next_key_ = 1;
  Registrar* registrar_ = nullptr;
};

// The sum of the lengths of an iov array; nothing if it does not fit into 64 bits.
std::optional<std::uint64_t> total_length(Octets iovs);

}  // namespace wirelaw::efa
