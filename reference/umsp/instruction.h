// SPDX-License-Identifier: Apache-2.0
// A UMSP instruction (RFC 3018 3): header, extension headers, operands. Decoding needs only the octets: header.h
// resolves what PCK inherits, and operands.h locates operands.
//
// Decoding is total: any octets give an instruction or a typed error. Reserved bits, wrong values, the form of lengths
// and any number of extension headers (within the limits) are kept: encode(decode(x)) is the beginning of x for every x
// that decodes. Lengths are added in 64 bits, and announced lengths allocate nothing.
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
  std::vector<ExtensionHeader> extensions;  // in wire order; empty if EXT is 0
  Octets operands = {};                     // a view of the decoded octets, like the extensions' data

  constexpr std::uint8_t opcode() const { return header.opcode; }
  // Length of the whole instruction as encoded.
  std::uint64_t octets() const;
  // Offset of the i-th extension header; for extensions.size(), of the operands.
  std::uint64_t offset_of_extension(std::size_t index) const;
  std::uint64_t offset_of_operands() const { return offset_of_extension(extensions.size()); }
  // Returns the first extension header with this code; nullptr if there is none.
  const ExtensionHeader* find_extension(std::uint16_t head_code) const;
};

// Limits of a receiver.
struct Limits {
  std::uint64_t octets = 1u << 20;       // for one instruction
  std::size_t extension_headers = 1024;  // for one instruction; the document allows thirty (3.2)
};

// Why octets cannot be decoded, or not yet.
struct DecodeError {
  enum class Problem : std::uint8_t {
    truncated,                   // the octets end before the instruction does
    too_long,                    // more octets than the limit
    too_many_extension_headers,  // more than the limit
  };
  Problem problem;
  std::string_view part;     // "header", "extension header", "extension header data", "operands"
  std::size_t offset = 0;    // offset of the part
  std::uint64_t needed = 0;  // length of the instruction, as far as it is known
  std::size_t there = 0;     // octets given
};
// "truncated in the operands at offset 8: 24 octets are needed, 12 are there".
std::string explain(const DecodeError& error);

// Decodes the instruction at the beginning of `octets`; ignores the octets after it.
tl::expected<Instruction, DecodeError> decode(Octets octets, const Limits& limits = {}, Form form = Form::whole);

// Appends the parts as given: the lengths in headers are written whatever the lengths of the parts.
void encode(const Instruction& instruction, OctetBuffer& out);
OctetBuffer encode(const Instruction& instruction);

// Makes an instruction with these operands, padded with zeros in `operands` itself to words of four octets. OPR_LENGTH
// follows from them, in the short form if that is sufficient.
Instruction make_instruction(std::uint8_t opcode, OctetBuffer& operands);
// Appends an extension header: sets EXT, and HSL in the last one only.
void add_extension(Instruction& instruction, ExtensionHeader header);

// The length of the next instruction in a stream.
struct Extent {
  // If `complete`: length of the instruction, which may be more than is present. Else: the number of octets needed to
  // continue, always more than are present.
  std::uint64_t octets = 0;
  bool complete = false;
};
// Reads only the header and the heads of the extension headers. Fails only if a limit is exceeded.
tl::expected<Extent, DecodeError> instruction_octets(Octets first, const Limits& limits = {}, Form form = Form::whole);

}  // namespace wirelaw::umsp
