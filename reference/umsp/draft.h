// SPDX-License-Identifier: Apache-2.0
// An instruction on its way out: it owns its parts, and which fields its header has follows from what it names.
// Writing it is the last thing that happens to it, as PCK depends on what the connection carried before (RFC 3018 3.1).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reference/octets/octets.h"
#include "reference/umsp/header.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/opcode.h"

namespace wirelaw::umsp {

struct OwnedExtension {
  HeadCode head_code;
  OctetBuffer data = {};
};

// The choices that the header leaves to a sender.
struct Style {
  // SESSION_ID and the fields of the chain are left out if the instruction before gives them: PCK 01 and 10.
  bool inherits = false;
  bool extended = false;   // OPR_LENGTH_EXT also if OPR_LENGTH would do
  bool quadruple = false;  // S20: extension headers and operands begin at multiples of four octets (5.3.4)
};

struct Draft {
  std::uint8_t opcode = 0;
  std::optional<std::uint32_t> session_id = {};  // nothing: no session, PCK 00
  std::optional<std::uint32_t> req_id = {};      // ASK is 1 if there is one
  std::optional<ChainPlace> chain = {};          // needs a session
  std::vector<OwnedExtension> extensions = {};
  OctetBuffer operands = {};  // padded with zeros to words of four octets when it is written
  Style style = {};

  constexpr bool is(Opcode code) const { return opcode == static_cast<std::uint8_t>(code); }
};

inline Draft draft_of(Opcode opcode, OctetBuffer operands = {}) {
  Draft draft{.opcode = static_cast<std::uint8_t>(opcode)};
  draft.operands = std::move(operands);
  return draft;
}

// Appends it. `context` is that of the connection and direction, or of the datagram, and is then that of the next one.
void write(const Draft& draft, Context& context, OctetBuffer& out);
// Encodes it as the first and only instruction of its connection or datagram.
OctetBuffer write(const Draft& draft);

// The parts of another instruction, as far as a header with these fields can have them; nothing if its
// SESSION_ID is inherited and not known.
Draft draft_of(const Instruction& instruction, const Membership& membership);

}  // namespace wirelaw::umsp
