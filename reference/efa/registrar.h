// SPDX-License-Identifier: Apache-2.0
// A device that does RDMA by itself: memory that peers read and write must be registered with it, and it chooses
// address and key (3.3).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "reference/efa/raw_address.h"
#include "reference/octets/octets.h"

namespace wirelaw::efa {

enum class Access : std::uint8_t { read = 1, write = 2, read_write = 3 };

class Registrar {
 public:
  virtual ~Registrar() = default;

  // Registers octets, which must stay valid until withdraw(). Returns nothing if the device refuses (4.1).
  virtual std::optional<RmaIov> expose(std::span<Octet> octets, Access access) = 0;
  virtual void withdraw(std::uint64_t key) = 0;
  // True if this many octets can be registered now as the target of an RDMA read.
  virtual bool could_take(std::uint64_t octets) = 0;
};

}  // namespace wirelaw::efa
