// SPDX-License-Identifier: Apache-2.0
// The local memory of one task: areas at addresses of two to eight octets, for both code and data (RFC 3018 6.4). An
// access must be within one area; no sum is computed that could wrap.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "reference/octets/octets.h"

namespace wirelaw::umsp {

enum class AreaKind : std::uint8_t {
  permanent,  // permanent code, not writable
  region,     // permanent data
  pointers,   // 128-bit pointers, sixteen octets each (2.1)
  data,       // from MEM_ALLOC
  code,       // from MVCODE
  run_code,   // a thread's code, followed by its parameters
  parameters  // a thread's parameters
};
constexpr bool is_writable(AreaKind kind) {
  return kind != AreaKind::permanent;
}
constexpr bool is_executable(AreaKind kind) {
  return kind == AreaKind::permanent || kind == AreaKind::code || kind == AreaKind::run_code;
}
// FREE: frees memory that MEM_ALLOC or MVCODE has allocated (6.4.4).
constexpr bool is_freeable(AreaKind kind) {
  return kind == AreaKind::data || kind == AreaKind::code;
}

struct Area {
  AreaKind kind;
  OctetBuffer octets;
};

class TaskMemory {
 public:
  // `address_octets`: length of addresses, 1 to 8.
  explicit TaskMemory(std::size_t address_octets);

  std::uint64_t last_address() const { return last_; }
  // Changes nothing and returns false if the area overlaps another one or the end of the address space, or is empty.
  bool add(std::uint64_t address, AreaKind kind, OctetBuffer octets);
  // Returns the lowest address from `from` on, a multiple of sixteen, with room for this number of octets (at least 1).
  std::optional<std::uint64_t> find_room(std::uint64_t from, std::size_t octets) const;
  void remove(std::uint64_t address);

  // Returns the area that begins at this address; nullptr if none does.
  const Area* find(std::uint64_t address) const;
  // Returns the area that contains all these octets. An address right after an area is in no area, even for 0 octets.
  const Area* find(std::uint64_t address, std::uint64_t octets) const;
  // Returns these octets. Empty if they are not all in one area.
  std::optional<Octets> look(std::uint64_t address, std::uint64_t octets) const;
  // Returns false if they are not all in one writable area.
  bool write(std::uint64_t address, Octets octets);

  const std::map<std::uint64_t, Area>& areas() const { return areas_; }

 private:
  std::uint64_t last_;
  std::map<std::uint64_t, Area> areas_;  // by address
};

}  // namespace wirelaw::umsp
