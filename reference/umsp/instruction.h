// SPDX-License-Identifier: Apache-2.0
// A UMSP instruction (RFC 3018 3): header, extension headers, operands. Decoding needs no more than the octets: what
// PCK inherits is resolved apart (header.h), and the operands have their places by operands.h.
//
// Decoding is total: any octets give an instruction or a typed error. Reserved bits, wrong values, the form of lengths
// and any number of extension headers (within the limits) are kept: encode(decode(x)) is the beginning of x for every x
// that decodes. Lengths are added in 64 bits, nothing is allocated by a length that was only announced.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/octets/octets.h"
#include "reference/umsp/header.h"

namespace wirelaw::umsp {

struct Instruction {
  Header header;
  std::vector<ExtensionHeader> extensions;  // in the order of the wire; none if EXT is 0
  Octets operands = {};                     // looks into the octets that were decoded, as the extensions' data does

  constexpr std::uint8_t opcode() const { return header.opcode; }
  // Length of the whole instruction as encoded.
  std::uint64_t octets() const;
  // Where the i-th extension header begins, and, with extensions.size(), the operands.
  std::uint64_t offset_of_extension(std::size_t index) const;
  std::uint64_t offset_of_operands() const { return offset_of_extension(extensions.size()); }
  // The first extension header of this code; nullptr if there is none.
  const ExtensionHeader* find_extension(std::uint16_t head_code) const;
};

// What a receiver is ready to hold.
struct Limits {
  std::uint64_t octets = 1u << 20;       // for one instruction
  std::size_t extension_headers = 1024;  // for one instruction; the document allows thirty (3.2)
};

// Why octets are no instruction, or none yet.
struct DecodeError {
  enum class Problem : std::uint8_t {
    truncated,                   // the octets end before the instruction does
    too_long,                    // more octets than the limit
    too_many_extension_headers,  // more than the limit
  };
  Problem problem;
  std::string_view part;     // "header", "extension header", "extension header data", "operands"
  std::size_t offset = 0;    // where the part begins
  std::uint64_t needed = 0;  // octets of the instruction, as far as is known
  std::size_t there = 0;     // octets given
};
// "truncated in the operands at offset 8: 24 octets are needed, 12 are there".
std::string explain(const DecodeError& error);

// The instruction that `octets` begin with; what follows its octets() is passed over.
tl::expected<Instruction, DecodeError> decode(Octets octets, const Limits& limits = {}, Form form = Form::whole);

// Appends the parts as they are: the lengths in headers are written whatever the parts have.
void encode(const Instruction& instruction, OctetBuffer& out);
OctetBuffer encode(const Instruction& instruction);

// An instruction with these operands, padded with zeros in `operands` itself to words of four octets, and OPR_LENGTH by
// them: in the short form if that can hold it.
Instruction make_instruction(std::uint8_t opcode, OctetBuffer& operands);
// Appends an extension header: EXT is set, and HSL in the last one alone.
void add_extension(Instruction& instruction, ExtensionHeader header);

// How much of a stream the next instruction takes.
struct Extent {
  // If `complete`: octets of the instruction, which may be more than are there. Else: octets of its beginning that are
  // needed to say more. Always more than are there then.
  std::uint64_t octets = 0;
  bool complete = false;
};
// Looks at the header and at the heads of the extension headers only. It fails only if a limit is exceeded.
tl::expected<Extent, DecodeError> instruction_octets(Octets first, const Limits& limits = {}, Form form = Form::whole);

}  // namespace wirelaw::umsp
