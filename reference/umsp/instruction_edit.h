// SPDX-License-Identifier: Apache-2.0
// What the row of a deviation changes in an instruction that is sent, and which received instructions it ignores or
// answers. A deviation that needs time or several steps overrides a function instead.
#pragma once

#include <cstdint>
#include <span>

#include "reference/umsp/address.h"
#include "reference/umsp/draft.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/opcode.h"

namespace wirelaw::umsp {

// An instruction before it is sent.
struct Departure {
  Draft draft;
  AddressFormat format = kIpv4Memory32;  // the sender's
  bool misdirected = false;              // goes to another node
  bool dropped = false;                  // is not sent
};
// An instruction that has arrived.
struct Arrived {
  const Instruction& instruction;
  AddressFormat format = kIpv4Memory32;  // the receiver's
  bool datagram = false;
};

// One of `sent`, `ignored` and `answered` is set, or none.
struct InstructionEdit {
  Opcode first = {}, last = {};  // the instructions that it concerns, by their codes
  void (*sent)(Departure&) = nullptr;
  bool (*ignored)(const Arrived&) = nullptr;
  bool answered = false;  // by RSP_P

  constexpr bool concerns(std::uint8_t opcode) const {
    return static_cast<std::uint8_t>(first) <= opcode && opcode <= static_cast<std::uint8_t>(last);
  }
};
// The edits of the deviations of each part of a node, in the order of its enumeration.
std::span<const InstructionEdit> session_edits();
std::span<const InstructionEdit> node_edits();
std::span<const InstructionEdit> job_edits();
std::span<const InstructionEdit> chain_edits();

// --- the words of the rows
constexpr Opcode kFirst{0}, kLast{0xff};
constexpr InstructionEdit sent(Opcode first, Opcode last, void (*edit)(Departure&)) {
  return {.first = first, .last = last, .sent = edit};
}
constexpr InstructionEdit sent(Opcode code, void (*edit)(Departure&)) {
  return sent(code, code, edit);
}
constexpr InstructionEdit ignored(Opcode first, Opcode last, bool (*where)(const Arrived&)) {
  return {.first = first, .last = last, .ignored = where};
}
constexpr InstructionEdit ignored(Opcode code, bool (*where)(const Arrived&)) {
  return ignored(code, code, where);
}
constexpr InstructionEdit answered(Opcode code) {
  return {.first = code, .last = code, .answered = true};
}
inline void never(Departure& one) {
  one.dropped = true;
}
inline void misdirect(Departure& one) {
  one.misdirected = true;
}
template <Opcode code>
void rename(Departure& one) {
  one.draft.opcode = static_cast<std::uint8_t>(code);
}
inline bool always(const Arrived&) {
  return true;
}
inline bool with_extension(const Arrived& one) {
  return !one.instruction.extensions.empty();
}
template <HeadCode code>
bool with(const Arrived& one) {
  return one.instruction.find_extension(static_cast<std::uint16_t>(code)) != nullptr;
}
inline bool without_operands(const Arrived& one) {
  return one.instruction.operands.empty();
}

// --- their use
// Returns true if `holds` does for the edit of one of these deviations that concerns instructions with this code.
template <class Deviations, class Holds>
bool any_edit(std::span<const InstructionEdit> edits, const Deviations& deviations, std::uint8_t opcode, Holds holds) {
  if (deviations.empty()) return false;
  for (std::size_t i = 0; i < edits.size(); ++i)
    if (deviations.has(static_cast<typename Deviations::Deviation>(i)) && edits[i].concerns(opcode) && holds(edits[i]))
      return true;
  return false;
}
template <class Deviations>
Departure with_faults(std::span<const InstructionEdit> edits, const Deviations& deviations, Departure departure) {
  any_edit(edits, deviations, departure.draft.opcode, [&](const InstructionEdit& one) {
    if (one.sent != nullptr) one.sent(departure);
    return false;
  });
  return departure;
}
template <class Deviations>
bool ignores(std::span<const InstructionEdit> edits, const Deviations& deviations, const Arrived& received) {
  return any_edit(edits, deviations, received.instruction.opcode(),
                  [&](const InstructionEdit& one) { return one.ignored != nullptr && one.ignored(received); });
}
template <class Deviations>
bool answers(std::span<const InstructionEdit> edits, const Deviations& deviations, std::uint8_t opcode) {
  return any_edit(edits, deviations, opcode, [](const InstructionEdit& one) { return one.answered; });
}

}  // namespace wirelaw::umsp
