// SPDX-License-Identifier: Apache-2.0
// Instructions that a faulty part of a node ignores, by OPCODE and by an extension header.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "reference/umsp/instruction.h"
#include "reference/umsp/node/faults/job_deviations.h"
#include "reference/umsp/node/node_address.h"
#include "reference/umsp/opcode.h"

namespace wirelaw::umsp {

enum class Having : std::uint8_t { anything, an_extension, this_extension };

struct Untaken {
  JobDeviation deviation;
  Opcode first;
  Opcode last;
  Having having = Having::anything;
  HeadCode head_code = HeadCode::name;

  bool matches(const Instruction& instruction) const {
    if (instruction.opcode() < static_cast<std::uint8_t>(first) ||
        instruction.opcode() > static_cast<std::uint8_t>(last))
      return false;
    if (having == Having::an_extension) return !instruction.extensions.empty();
    return having == Having::anything || instruction.find_extension(static_cast<std::uint16_t>(head_code)) != nullptr;
  }
};

inline bool is_untaken(std::span<const Untaken> table, const JobDeviations& deviations,
                       const Instruction& instruction) {
  return std::ranges::any_of(
      table, [&](const Untaken& row) { return deviations.has(row.deviation) && row.matches(instruction); });
}

// Returns another node.
inline NodeAddress other_than(NodeAddress node) {
  ++node.ip.back();
  return node;
}

}  // namespace wirelaw::umsp
