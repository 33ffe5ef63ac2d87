// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/faults/faulty_links.h"

#include "reference/umsp/layout.h"

namespace wirelaw::umsp {
namespace {

constexpr std::size_t kSevenWords = 28;

}  // namespace

using enum NodeDeviation;

// If an instruction is measured wrongly, it is lost, and so are the following ones.
bool FaultyLinks::measure(Octets octets, std::size_t& taken) const {
  if (!Links::measure(octets, taken)) return false;
  const auto header = taken > 0 ? decode_header(octets) : std::nullopt;
  if (!header) return true;
  const bool seven =
      header->extended && class_of(header->opcode) == OpcodeClass::exchange && header->operand_octets() != kSevenWords;
  if (deviations_.has(seven_words_taken) && seven) {
    taken = header->octets() - 2 + kSevenWords;  // without OPR_LENGTH_EXT
    if (taken > octets.size()) taken = 0;
  }
  const bool unknown = find_layout(header->opcode) == nullptr;
  if (deviations_.has(unknown_length_ignored) && unknown) taken = header->octets();
  return true;
}

void FaultyLinks::keep(LinkId id, OctetBuffer held, std::size_t from, bool sound) {
  if (deviations_.has(split_instructions_lost)) from = held.size();
  Links::keep(id, std::move(held), from, sound);
}

}  // namespace wirelaw::umsp
