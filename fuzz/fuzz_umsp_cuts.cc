// SPDX-License-Identifier: Apache-2.0
// Any octets as UMSP instructions that arrive in pieces. Oracle: at every cut, the framing requests no octet beyond the
// instruction, and finds its length.
#include <algorithm>

#include "fuzz/target.h"
#include "reference/umsp/instruction.h"

namespace wirelaw::fuzz {
namespace {

using namespace umsp;

constexpr Limits kLimits{.octets = 4096, .extension_headers = 64};
constexpr std::size_t kCuts = 64;  // octets of an instruction at which each cut is tested

// Returns the length of the instruction in octets; 0 if there is none.
std::size_t check_cuts(Octets octets, Form form) {
  const auto whole = instruction_octets(octets, kLimits, form);
  if (!whole || !whole->complete || whole->octets > octets.size()) return 0;
  const std::size_t length = whole->octets;
  for (std::size_t there = 0; there <= std::min(length, kCuts); ++there) {
    const auto extent = instruction_octets(octets.first(there), kLimits, form);
    require(extent.has_value(), "what is whole can be framed at every cut");
    require(extent->octets <= length, "framing asks for no more than the instruction has");
    require(extent->complete ? extent->octets == length : extent->octets > there, "framing comes to the length");
  }
  return length;
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  Octets octets(data, size);
  fuzz::check_cuts(octets, umsp::Form::fragmented);
  while (const std::size_t length = fuzz::check_cuts(octets, umsp::Form::whole)) octets = octets.subspan(length);
  return 0;
}
