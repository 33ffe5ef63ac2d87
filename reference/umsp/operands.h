// SPDX-License-Identifier: Apache-2.0
// Locates the operands of an instruction and the data of an extension header, according to the table of layout.h.
//
// Some lengths are not in the instruction: they depend on the local addresses of a node. The caller gives those that it
// knows in Lengths; for the others, the first length is used with which all operands fit.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/octets/octets.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/layout.h"

namespace wirelaw::umsp {

// Lengths of local memory addresses in octets: 2, 3, 4 or 8; 0: unknown.
struct Lengths {
  std::uint8_t address = 0;        // length at the addressee, whose memory the instruction addresses (6)
  std::uint8_t ctid = 0;           // length of the JCP's CTIDs
  std::uint8_t ltid = 0;           // at the node that assigned the LTID
  bool complete_addresses = true;  // addresses of sixteen octets are in use (S6 of the profile, 5.3.4)
};

// An operand's place; offsets are relative to the operands.
struct Located {
  const OperandRow* row;
  std::size_t offset;
  std::size_t length;
};

// Why operands do not fit.
enum class OperandFlaw : std::uint8_t {
  too_short,     // the operands end within this one
  too_long,      // octets are left that are not padding
  identifier,    // the header octet of a GJID or GTID has a flaw
  address,       // the header octet of a complete address has a flaw
  count,         // a preceding count contradicts the octets present
  padding,       // 1 to 3 octets at the end, or after counted data, are not zero
  unknown_code,  // no row has this OPCODE or HEAD_CODE
};
std::string_view explain(OperandFlaw flaw);

// A list of located operands with fixed capacity, because one exists for each judged instruction.
class LocatedList {
 public:
  static constexpr std::size_t kMost = 12;

  LocatedList() {}  // NOLINT: what follows count_ has no value
  LocatedList(const LocatedList& other) : count_(other.count_) { std::copy_n(other.begin(), count_, all_.data()); }
  LocatedList& operator=(const LocatedList& other) {
    count_ = other.count_;
    std::copy_n(other.begin(), count_, all_.data());
    return *this;
  }

  void push_back(const Located& located) { all_[count_++] = located; }  // while size() is below kMost
  void pop_back() { --count_; }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const Located& back() const { return all_[count_ - 1]; }
  const Located& operator[](std::size_t index) const { return all_[index]; }
  const Located* begin() const { return all_.data(); }
  const Located* end() const { return all_.data() + count_; }

 private:
  std::array<Located, kMost> all_;
  std::size_t count_ = 0;
};

struct OperandView {
  LocatedList operands;            // in the form that fits; else in the last form, as far as possible
  std::size_t padding_offset = 0;  // offset after the last operand
  std::size_t padding = 0;         // number of octets there, which belong to no operand
  std::optional<OperandFlaw> flaw;
  std::size_t flaw_offset = 0;    // in the operands
  std::string_view flaw_operand;  // name of the operand; empty if there is none

  const Located* find(Operand operand) const;
};

// Returns the row of an instruction. Code 4 is CONTROL_REJECT if its operands are not a GJID (UMSP/A1). Returns nullptr
// if the code is not assigned.
const Layout* layout_of(const Instruction& instruction);

OperandView locate(const Instruction& instruction, const Lengths& lengths = {});
OperandView locate(const Layout& layout, Octets operands, const Lengths& lengths = {});
// The data of an extension header. Up to three zero octets after it are padding (S20 of the profile, UMSP/A18).
OperandView locate(const ExtensionHeader& header, const Lengths& lengths = {});

// The number in up to eight octets; if there are more, in the last eight.
std::uint64_t number_of(Octets octets);
// The octets of a located operand.
inline Octets octets_of(const Located& located, Octets operands) {
  return operands.subspan(located.offset, located.length);
}
// The number in an operand; nothing if the view lacks the operand.
std::optional<std::uint64_t> value_of(const OperandView& view, Operand operand, Octets operands);

// Bits of an operand, numbered from the most significant one of `octets` octets.
constexpr std::uint64_t bits_of(std::uint64_t value, const BitRow& row, std::size_t octets) {
  return value >> (octets * 8 - row.first - row.width) & ((std::uint64_t{1} << row.width) - 1);
}

}  // namespace wirelaw::umsp
