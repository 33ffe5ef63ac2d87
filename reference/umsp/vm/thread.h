// SPDX-License-Identifier: Apache-2.0
// A thread of control (RFC 3018 2.2), begun by CALL, JUMP, MVRUN and calls of procedures.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "reference/endpoint.h"
#include "reference/umsp/address.h"
#include "reference/umsp/opcode.h"
#include "reference/umsp/vm/code.h"

namespace wirelaw::umsp {

using ThreadId = std::uint64_t;

// A request of a thread to another node.
struct Awaited {
  Operation operation;
  std::uint32_t req_id = 0;
  std::uint8_t reg = 0;       // register for the result
  std::uint64_t address = 0;  // destination of the data
  std::uint64_t octets = 0;
  Address pointer;  // subject of the request
  Instant until{};
};

struct Thread {
  std::uint64_t task = 0;
  std::uint32_t session = 0;
  std::optional<std::uint32_t> req_id = {};  // REQ_ID of the instruction that waits for RETURN; nothing: none
  std::optional<std::uint32_t> life_time = {};
  WordOrder order = WordOrder::most_first;
  std::uint64_t at = 0;                        // the address of the next operation
  std::optional<std::uint64_t> own_area = {};  // its own code and parameters, which are freed when it ends
  std::array<std::uint64_t, kRegisters> registers{};
  std::size_t operations = 0;  // number of instructions that it has executed
  std::optional<Awaited> awaited = {};
};

// Data whose change must be reported (6.5.1).
struct Watch {
  std::uint64_t task = 0;
  std::uint32_t session = 0;
  std::uint32_t req_id = 0;
  std::uint64_t address = 0;
  OctetBuffer initial;
  OctetBuffer mask;
};

}  // namespace wirelaw::umsp
