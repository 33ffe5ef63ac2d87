// SPDX-License-Identifier: Apache-2.0
// The one table of UMSP's instructions (RFC 3018, sections 4 to 9) and of its extension headers (5.7.1, 7, 8): for each
// code its name, its section, the printed values of header fields, and its operands. The places of operands, the fields
// that users see, the dissector's tables and the fuzzers' dictionary are derived from it.
//
// "The complete instruction format is defined by OPCODE and OPR_LENGTH" (6): a row has one or more forms, and the first
// one that fits the operands applies. "A..." are the rulings on points that the text leaves open.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "reference/umsp/header.h"
#include "reference/umsp/opcode.h"
#include "reference/umsp/operand.h"

namespace wirelaw::umsp {

inline constexpr std::string_view kDissector = "umsp";

// What determines the length of an operand.
enum class Width : std::uint8_t {
  fixed,       // `octets`
  local,       // one of `lengths`, according to the node's local addresses: an LTID, a CTID, an address or an offset
  identifier,  // a GJID or GTID, according to its own header octet
  counted,     // the preceding operand, in octets; padded with zeros to a multiple of four
  words,       // the preceding operand, in words of four octets
  half,        // half of the remaining octets
  rest,        // all remaining octets; a list if the row has an `element`
};

// The property of a node that determines the length of a `local` operand.
enum class Owner : std::uint8_t { none, address, ctid, ltid };

struct OperandRow {
  Operand operand;
  Width width;
  std::uint8_t octets = 0;                  // length of a fixed one
  std::span<const std::uint8_t> lengths{};  // lengths of a local one, in the order in which they are tried
  Owner owner = Owner::none;
  std::span<const OperandRow> element{};  // for a list: fixed rows that repeat
};

// One form of operands, or of an extension header's data.
using FormRow = std::span<const OperandRow>;

// Values that a field of the header may have according to the printed tables; a bit for each.
namespace values {
inline constexpr std::uint8_t kZero = 1;
inline constexpr std::uint8_t kOne = 2;
inline constexpr std::uint8_t kAny = 3;
inline constexpr std::uint8_t kPck00 = 1;
inline constexpr std::uint8_t kPck01 = 2;
inline constexpr std::uint8_t kPck10 = 4;
inline constexpr std::uint8_t kPck11 = 8;
inline constexpr std::uint8_t kPckAny = 15;
}  // namespace values

// OPR_LENGTH, or HEAD_LENGTH: both ends are allowed.
struct LengthRange {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
  constexpr bool contains(std::uint32_t words) const { return words >= least && words <= most; }
  friend constexpr bool operator==(const LengthRange&, const LengthRange&) = default;
};

struct Layout {
  Opcode opcode;
  std::string_view name;     // name in the document: "TASK_REG" for each of its codes
  std::string_view variant;  // difference between codes of one name: "CTID of 2 octets"; empty if there is one code
  std::string_view section;  // "5.2.1"
  // Allowed values of header fields, as bits of `values`. If the document prints nothing: any.
  std::uint8_t ask = values::kAny;
  std::uint8_t pck = values::kPckAny;
  std::uint8_t chn = values::kAny;
  std::uint8_t ext = values::kAny;
  LengthRange length;                      // OPR_LENGTH according to the operands that the document lists
  LengthRange printed;                     // OPR_LENGTH as printed: differs if the document errs (UMSP/A20 ...)
  std::span<const FormRow> forms;          // the first one that fits applies
  std::span<const HeadCode> extensions{};  // extension headers that the document lists for this instruction
  bool response = false;                   // answers another instruction: ASK shows that REQ_ID is present (4, 6)

  constexpr std::uint8_t code() const { return static_cast<std::uint8_t>(opcode); }
  constexpr OpcodeClass opcode_class() const { return class_of(code()); }
  constexpr bool allows_ask(bool value) const { return (ask >> (value ? 1 : 0) & 1) != 0; }
  constexpr bool allows_pck(Pck value) const { return (pck >> static_cast<unsigned>(value) & 1) != 0; }
  constexpr bool allows_chn(bool value) const { return (chn >> (value ? 1 : 0) & 1) != 0; }
  constexpr bool allows_ext(bool value) const { return (ext >> (value ? 1 : 0) & 1) != 0; }
  constexpr bool lists(HeadCode wanted) const {
    for (const HeadCode code : extensions)
      if (code == wanted) return true;
    return false;
  }
};

std::span<const Layout> all_layouts();           // by code
const Layout* find_layout(std::uint8_t opcode);  // nullptr if the code is not assigned
const Layout& describe(Opcode opcode);

// An extension header. Any instruction may have those that its row does not list (3.2): those of chains and _ALIGNMENT.
struct ExtensionLayout {
  HeadCode head_code;
  std::string_view name;  // "_BEGIN_SQ"
  std::string_view section;
  bool hob;            // as printed
  LengthRange length;  // HEAD_LENGTH
  std::span<const FormRow> forms;
  bool begins_chain = false;

  constexpr std::uint8_t code() const { return static_cast<std::uint8_t>(head_code); }
};

std::span<const ExtensionLayout> all_extensions();               // by code
const ExtensionLayout* find_extension(std::uint16_t head_code);  // nullptr if the code is not assigned
const ExtensionLayout& describe(HeadCode head_code);

// A field of the header or of an extension header, for users and dissectors.
struct FieldInfo {
  std::string_view name;  // "opcode"; for an extension header after "umsp.ext_header."
  std::uint8_t bits;      // at most
  std::string_view text;
};
std::span<const FieldInfo> header_fields();  // in the order of HeaderField
std::span<const FieldInfo> extension_fields();

}  // namespace wirelaw::umsp
