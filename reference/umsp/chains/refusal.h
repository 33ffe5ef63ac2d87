// SPDX-License-Identifier: Apache-2.0
// Why the protocol layer refuses a chain. The document assigns no return codes (4.1), so these are of this
// implementation. A peer can only rely on the basic code not being 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/umsp/draft.h"
#include "reference/umsp/instruction.h"

namespace wirelaw::umsp {

inline constexpr std::uint16_t kChainRefused = 0x0700;  // the basic return code

enum class ChainRefusal : std::uint16_t {  // the additional one
  malformed = 1,   // a chain without the header that describes it, or with another one in a wrong place (7)
  missing,         // an instruction of the chain is missing and cannot arrive any more
  replaced,        // another chain has begun with its number
  too_many,        // more chains than this side keeps
  not_executed,    // the VM did not execute it, and gave no response
  base,            // the base was set twice, or cannot be used (7.6)
  header,          // an unknown extension header with HOB (3.2)
  time_over,       // TIME_TR, or the lifetime (7.2.1, 8.5)
  unknown_chain,   // EXEC_TR for an unknown transaction
  not_complete,    // EXEC_TR for an incomplete transaction
  no_buffer,       // REQ_BUF (7.4)
  above_grant,     // longer than REQ_BUF announced
  fragments,       // fragments of no instruction, or of one that may not be fragmented (7.3)
  sender_gave_up,  // refused before it was sent
};
std::string_view explain(ChainRefusal refusal);

struct ReturnCodes {
  std::uint16_t basic = 0;
  std::uint16_t additional = 0;
  constexpr bool positive() const { return basic == 0; }
};
constexpr ReturnCodes codes_of(ChainRefusal refusal) {
  return {kChainRefused, static_cast<std::uint16_t>(refusal)};
}

// Returns RSP or RSP_P, without operands if both codes are 0 (4.1).
Draft make_response(Opcode opcode, std::uint32_t req_id, ReturnCodes codes = {});
// The codes in RSP and RSP_P; any other response is positive.
ReturnCodes codes_of(const Draft& response);
ReturnCodes codes_of(const Instruction& response);

// True if it answers another instruction, and so repeats its REQ_ID (6).
bool is_response(std::uint8_t opcode);

}  // namespace wirelaw::umsp
