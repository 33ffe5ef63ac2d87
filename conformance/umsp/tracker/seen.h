// SPDX-License-Identifier: Apache-2.0
// One instruction as the tracker and the checks see it.
#pragma once

#include <optional>
#include <string_view>

#include "conformance/umsp/tracker/connection.h"
#include "conformance/umsp/tracker/facts.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/layout.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {

// Padding and complete addresses have their own rules (3.3, 2.1).
inline bool has_form(const OperandView& operands) {
  const auto& flaw = operands.flaw;
  return !flaw || *flaw == OperandFlaw::padding || *flaw == OperandFlaw::address;
}
// PCK 10 with CHN 0 is a fault of its own (UMSP-3.1-23).
constexpr bool can_be_chained(const Header& header) {
  return header.chn || header.pck == Pck::same_chain;
}

// The values of an instruction, and the offsets of its parts for evidence. A check of facts sees nothing else.
struct SeenInstruction {
  const Message& message;
  const Instruction& instruction;
  const Layout* layout;  // nullptr if the code is not assigned
  const OperandView& operands;
  const Membership& membership;
  bool is_first = false;     // first instruction of its stream or datagram
  bool in_datagram = false;  // sent over UDP
  FactsBefore before = {};

  const Header& header() const { return instruction.header; }
  bool is(Opcode opcode) const { return instruction.opcode() == static_cast<std::uint8_t>(opcode); }
  bool is_of(OpcodeClass opcodes) const { return class_of(instruction.opcode()) == opcodes; }
  // It opens or ends a session (5.3, 5.4).
  bool is_about_session() const {
    const std::uint8_t opcode = instruction.opcode();
    return opcode >= static_cast<std::uint8_t>(Opcode::session_open) &&
           opcode <= static_cast<std::uint8_t>(Opcode::session_abend);
  }
  bool is_response() const { return layout != nullptr && layout->response; }
  bool is_request_of_vm() const {
    return layout != nullptr && layout->opcode_class() == OpcodeClass::exchange && !layout->response;
  }
  // It belongs to no session, or to the zero-session.
  bool is_sessionless() const { return header().pck == Pck::no_session || membership.session_id == kZeroSession; }
  // Same, but a SESSION_OPEN without a session belongs to the one that it opens (5.8).
  bool is_of_zero_session() const {
    if (!is(Opcode::session_open) && !is(Opcode::session_accept)) return is_sessionless();
    return membership.session_id == kZeroSession ||
           (header().pck == Pck::no_session && header().req_id == kZeroSession);
  }

  // --- places, in octets of the instruction
  OctetRange field(HeaderField field) const {
    const auto place = find_field(header(), field);
    return place ? OctetRange{place->offset, place->length} : OctetRange{0, 2};
  }
  OctetRange all_operands() const {
    return {static_cast<std::size_t>(instruction.offset_of_operands()), instruction.operands.size()};
  }
  OctetRange at(const Located& located) const {
    return {static_cast<std::size_t>(instruction.offset_of_operands()) + located.offset, located.length};
  }
  // The range of an operand, or of all operands if this one is absent.
  OctetRange operand(Operand operand) const {
    const Located* const located = operands.find(operand);
    return located ? at(*located) : all_operands();
  }
  // The head of an extension header, without its data.
  OctetRange extension(std::size_t index) const {
    return {static_cast<std::size_t>(instruction.offset_of_extension(index)),
            instruction.extensions[index].head_octets()};
  }
  OctetRange extension_data(std::size_t index) const {
    const ExtensionHeader& header = instruction.extensions[index];
    return {static_cast<std::size_t>(instruction.offset_of_extension(index)) + header.head_octets(),
            header.data.size()};
  }

  // --- values
  std::optional<std::uint64_t> value(Operand operand) const {
    return value_of(operands, operand, instruction.operands);
  }
  // Empty if the operand is absent.
  std::optional<Octets> octets_of(Operand operand) const {
    const Located* const located = operands.find(operand);
    if (located == nullptr) return std::nullopt;
    return umsp::octets_of(*located, instruction.operands);
  }
  // True for a response with no codes, or with the basic code 0.
  bool says_yes() const { return value(Operand::basic_return_code).value_or(0) == 0; }
};

// The same with the state of its connection and its session.
struct Seen : SeenInstruction {
  Connection& connection;
  ObservedSession* session = nullptr;  // the session that it belongs to; nullptr: unknown

  Direction& from() const { return connection.of(message.sender); }
  Direction& to() const { return connection.of(other(message.sender)); }
};

}  // namespace wirelaw::umsp
