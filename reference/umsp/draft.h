// SPDX-License-Identifier: Apache-2.0
// An instruction to be sent. It owns its parts, from which its header's fields follow. It is encoded last, because PCK
// depends on the previous instruction of the connection (RFC 3018 3.1).
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
  // Omits SESSION_ID and the fields of the chain if the previous instruction gives them: PCK 01 and 10.
  bool inherits = false;
  bool extended = false;   // uses OPR_LENGTH_EXT even if OPR_LENGTH is sufficient
  bool quadruple = false;  // S20: extension headers and operands begin at multiples of four octets (5.3.4)
};

struct Draft {
  std::uint8_t opcode = 0;
  std::optional<std::uint32_t> session_id = {};  // nothing: no session, PCK 00
  std::optional<std::uint32_t> req_id = {};      // if set, ASK is 1
  std::optional<ChainPlace> chain = {};          // requires a session
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

// Appends the instruction. `context` is that of the connection and direction, or of the datagram, and is updated.
void write(const Draft& draft, Context& context, OctetBuffer& out);
// Encodes it as the first and only instruction of its connection or datagram.
OctetBuffer write(const Draft& draft);

// Copies an instruction, as far as a header with these fields allows it; returns nothing if its SESSION_ID is inherited
// and unknown.
Draft draft_of(const Instruction& instruction, const Membership& membership);

}  // namespace wirelaw::umsp
