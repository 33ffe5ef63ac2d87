// SPDX-License-Identifier: Apache-2.0
// Any octets as UMSP instructions. Oracles: encode(decode(x)) == x; framing agrees with decoding; operands are in order
// and inside the instruction.
#include <algorithm>

#include "fuzz/scratch.h"
#include "fuzz/target.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/operands.h"

namespace wirelaw::fuzz {
namespace {

using namespace umsp;

constexpr Limits kLimits{.octets = 4096, .extension_headers = 64};

void check_places(const OperandView& view, Octets octets) {
  std::size_t end = 0;
  for (const Located& located : view.operands) {
    require(located.offset >= end, "operands are in the order of the wire");
    end = located.offset + located.length;
    require(end <= octets.size(), "an operand lies within its instruction");
  }
  require(view.padding_offset >= end && view.padding_offset + view.padding == octets.size(),
          "what follows the operands follows them, to the end");
  require(!view.flaw || view.flaw_offset <= octets.size(), "a flaw is within the operands");
}

void check_operands(const Instruction& instruction) {
  // The lengths that addresses and identifiers may have; 0: unknown.
  static constexpr std::uint8_t kLengths[] = {0, 2, 3, 8};
  const std::uint8_t length = kLengths[instruction.octets() / 4 % std::size(kLengths)];
  check_places(locate(instruction, {.address = length, .ctid = length, .ltid = length}), instruction.operands);
  for (const ExtensionHeader& extension : instruction.extensions) check_places(locate(extension), extension.data);
}

// Returns the length of the instruction in octets; 0 if there is none.
std::size_t check_instruction(Octets octets, Form form) {
  const auto instruction = decode(octets, kLimits, form);
  const auto extent = instruction_octets(octets, kLimits, form);
  const bool whole = extent && extent->complete && extent->octets <= octets.size();
  require(instruction.has_value() == whole, "framing and decoding agree");
  if (!instruction) {
    const DecodeError& error = instruction.error();
    require(!error.part.empty() && error.offset <= octets.size() && error.there == octets.size(),
            "an error says what does not fit, and where it begins");
    require(error.problem != DecodeError::Problem::truncated || error.needed > error.there,
            "a truncated instruction lacks something");
    return 0;
  }
  OctetBuffer& again = scratch();
  encode(*instruction, again);
  require(again.size() == instruction->octets() && extent->octets == again.size(), "an instruction has one length");
  require(std::ranges::equal(again, octets.first(again.size())), "encode(decode(x)) == x");
  check_operands(*instruction);
  return again.size();
}

void check_sequence(Octets octets) {
  Context context;
  while (const std::size_t length = check_instruction(octets, Form::whole)) {
    const Membership membership = follow(*decode_header(octets), context);
    require(!membership.chain || membership.session_id || membership.flaw, "a chain is in a session");
    octets = octets.subspan(length);
  }
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const wirelaw::Octets octets(data, size);
  wirelaw::fuzz::check_sequence(octets);
  wirelaw::fuzz::check_instruction(octets, wirelaw::umsp::Form::fragmented);
  return 0;
}
