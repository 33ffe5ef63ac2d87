// SPDX-License-Identifier: Apache-2.0
// Where the operands of an instruction are, and the data of an extension header, by the table of layout.h.
//
// Some lengths are not in the instruction: they follow from the local addresses of a node. What the caller knows of
// these goes into Lengths; without it the first length that makes all fit is taken.
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

// Octets of local memory addresses: 2, 3, 4 or 8, and 0 if it is not known.
struct Lengths {
  std::uint8_t address = 0;        // length at the node whose memory the instruction addresses: the addressee (6)
  std::uint8_t ctid = 0;           // length of the JCP's CTIDs
  std::uint8_t ltid = 0;           // length at the node that assigned the LTID
  bool complete_addresses = true;  // addresses of sixteen octets are in use (S6 of the profile, 5.3.4)
};

// An operand's place, in octets from the beginning of the operands.
struct Located {
  const OperandRow* row;
  std::size_t offset;
  std::size_t length;
};

// Why operands do not fit.
enum class OperandFlaw : std::uint8_t {
  too_short,     // the operands end before this one does
  too_long,      // octets are left that are no padding
  identifier,    // the header octet of a GJID or GTID has a flaw
  address,       // the header octet of a complete address has a flaw
  count,         // a count in front does not agree with what is there
  padding,       // 1 to 3 octets at the end, or after counted data, are not zero
  unknown_code,  // no row has this OPCODE or HEAD_CODE
};
std::string_view explain(OperandFlaw flaw);

// Located operands, as many as a form has at most: there is one such list for each instruction that is judged.
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
  LocatedList operands;            // in the form that fits; if none does, in the last one as far as it goes
  std::size_t padding_offset = 0;  // after the last operand
  std::size_t padding = 0;         // octets there, which belong to no operand
  std::optional<OperandFlaw> flaw;
  std::size_t flaw_offset = 0;    // in the operands
  std::string_view flaw_operand;  // the operand's name; empty if it is none

  const Located* find(Operand operand) const;
};

// The row of an instruction. Code 4 is CONTROL_REJECT if its operands are no GJID (UMSP/A1); nullptr if the code
// is not assigned.
const Layout* layout_of(const Instruction& instruction);

OperandView locate(const Instruction& instruction, const Lengths& lengths = {});
OperandView locate(const Layout& layout, Octets operands, const Lengths& lengths = {});
// The data of an extension header. Up to three zero octets after it are padding (S20 of the profile, UMSP/A18).
OperandView locate(const ExtensionHeader& header, const Lengths& lengths = {});

// A number of up to eight octets; if there are more, the last eight.
std::uint64_t number_of(Octets octets);
// The octets of a located operand.
inline Octets octets_of(const Located& located, Octets operands) {
  return operands.subspan(located.offset, located.length);
}
// The number in an operand; nothing if the view has no such operand.
std::optional<std::uint64_t> value_of(const OperandView& view, Operand operand, Octets operands);

// Bits of an operand, numbered from the most significant one of `octets` octets.
constexpr std::uint64_t bits_of(std::uint64_t value, const BitRow& row, std::size_t octets) {
  return value >> (octets * 8 - row.first - row.width) & ((std::uint64_t{1} << row.width) - 1);
}

}  // namespace wirelaw::umsp
