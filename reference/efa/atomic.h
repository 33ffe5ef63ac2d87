// SPDX-License-Identifier: Apache-2.0
// The operations and datatypes of fi_atomic, which the RTA packets identify by libfabric's numbers (3.3, EFA/A-30), and
// their effect on memory. Values are little-endian both in packets and in registered memory; FI_LONG_DOUBLE is this
// machine's `long double`.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "reference/octets/octets.h"

namespace wirelaw::efa {

enum class Datatype : std::uint32_t {
  int8 = 0,
  uint8 = 1,
  int16 = 2,
  uint16 = 3,
  int32 = 4,
  uint32 = 5,
  int64 = 6,
  uint64 = 7,
  single = 8,
  real = 9,
  single_complex = 10,
  real_complex = 11,
  long_real = 12,
  long_complex = 13,
};

enum class AtomicOp : std::uint32_t {
  min = 0,
  max = 1,
  sum = 2,
  prod = 3,
  lor = 4,
  land = 5,
  bor = 6,
  band = 7,
  lxor = 8,
  bxor = 9,
  atomic_read = 10,
  atomic_write = 11,
  cswap = 12,
  cswap_ne = 13,
  cswap_le = 14,
  cswap_lt = 15,
  cswap_ge = 16,
  cswap_gt = 17,
  mswap = 18,
};

// The calls that allow an operation, and their packet types: fi_atomic with WRITE_RTA, fi_fetch_atomic with FETCH_RTA,
// fi_compare_atomic with COMPARE_RTA.
enum class AtomicCall : std::uint8_t { write = 1, fetch = 2, compare = 4 };

struct DatatypeInfo {
  Datatype datatype;
  std::string_view name;  // "FI_UINT64"
  std::uint8_t octets;    // size of one value
};

struct AtomicOpInfo {
  AtomicOp op;
  std::string_view name;  // "FI_SUM"
  std::uint8_t calls;     // AtomicCall values, combined with or
  bool allowed_in(AtomicCall call) const { return (calls & static_cast<std::uint8_t>(call)) != 0; }
};

std::span<const DatatypeInfo> all_datatypes();
std::span<const AtomicOpInfo> all_atomic_ops();
// Returns nullptr if fi_atomic has no such number.
const DatatypeInfo* find_datatype(std::uint32_t datatype);
const AtomicOpInfo* find_atomic_op(std::uint32_t op);

// True if the operation is defined for the datatype: floats have no bitwise operations, complex numbers no order.
bool atomic_defined(std::uint32_t op, std::uint32_t datatype);

// Sets target[i] = op(target[i], operand[i], compare[i]) for every whole value. Returns false and does nothing if the
// operation is not defined, if `operand` is shorter than `target` (except for FI_ATOMIC_READ), or if `compare` is
// shorter than `target` in a comparing operation.
bool apply_atomic(std::uint32_t op, std::uint32_t datatype, std::span<Octet> target, Octets operand, Octets compare);

}  // namespace wirelaw::efa
