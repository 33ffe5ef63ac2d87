// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/instruction.h"

#include <algorithm>

namespace wirelaw::umsp {
namespace {

using Problem = DecodeError::Problem;

// Reads an instruction's heads; positions have 64 bits. Passes the extension headers to `take`.
class Scan {
 public:
  Scan(Octets octets, const Limits& limits, Form form) : octets_(octets), limits_(limits), form_(form) {}

  template <class Take>
  tl::expected<Header, DecodeError> heads(Take take) {
    if (!reach("header", kLeastHeader) || !reach("header", header_octets(octets_[1], form_)))
      return tl::unexpected(error_);
    const Header header = *decode_header(octets_, form_);
    at_ = header.octets();
    std::size_t count = 0;
    for (bool last = !header.ext; !last;) {
      if (++count > limits_.extension_headers)
        return fail(Problem::too_many_extension_headers, "extension header", at_);
      if (!reach("extension header", 2) || !reach("extension header", head_octets(octets_[at_])))
        return tl::unexpected(error_);
      ExtensionHeader extension = *decode_head(octets_.subspan(at_));
      at_ += extension.head_octets();
      if (!reach("extension header data", extension.data_octets())) return tl::unexpected(error_);
      extension.data = octets_.subspan(at_, static_cast<std::size_t>(extension.data_octets()));
      at_ += extension.data.size();
      last = extension.hsl;
      take(extension);
    }
    return header;
  }

  // The operands; after heads().
  tl::expected<Octets, DecodeError> operands(const Header& header) {
    if (!reach("operands", header.operand_octets())) return tl::unexpected(error_);
    return octets_.subspan(at_, header.operand_octets());
  }

 private:
  // Requires this number of octets here.
  bool reach(std::string_view part, std::uint64_t more) {
    const std::uint64_t needed = at_ + more;
    if (needed > limits_.octets) {
      error_ = {Problem::too_long, part, at_, needed, octets_.size()};
      return false;
    }
    if (needed > octets_.size()) {
      error_ = {Problem::truncated, part, at_, needed, octets_.size()};
      return false;
    }
    return true;
  }
  tl::unexpected<DecodeError> fail(Problem problem, std::string_view part, std::size_t at) const {
    return tl::unexpected(DecodeError{problem, part, at, at, octets_.size()});
  }

  Octets octets_;
  const Limits& limits_;
  Form form_;
  std::size_t at_ = 0;
  DecodeError error_{};
};

}  // namespace

std::uint64_t Instruction::offset_of_extension(std::size_t index) const {
  std::uint64_t at = header.octets();
  if (!header.ext) return at;
  for (const ExtensionHeader& extension : std::span(extensions).first(std::min(index, extensions.size())))
    at += extension.head_octets() + extension.data.size();
  return at;
}

std::uint64_t Instruction::octets() const {
  return offset_of_operands() + operands.size();
}

const ExtensionHeader* Instruction::find_extension(std::uint16_t head_code) const {
  for (const ExtensionHeader& extension : extensions)
    if (extension.head_code == head_code) return &extension;
  return nullptr;
}

std::string explain(const DecodeError& error) {
  const std::string where = " in the " + std::string(error.part) + " at offset " + std::to_string(error.offset);
  switch (error.problem) {
    case Problem::truncated:
      return "truncated" + where + ": " + std::to_string(error.needed) + " octets are needed, " +
             std::to_string(error.there) + " are there";
    case Problem::too_long:
      return "longer than the limit" + where + ": " + std::to_string(error.needed) + " octets at least";
    case Problem::too_many_extension_headers:
      return "more extension headers than the limit" + where;
  }
  return {};
}

tl::expected<Instruction, DecodeError> decode(Octets octets, const Limits& limits, Form form) {
  Instruction instruction;
  Scan scan(octets, limits, form);
  const auto header =
      scan.heads([&](const ExtensionHeader& extension) { instruction.extensions.push_back(extension); });
  if (!header) return tl::unexpected(header.error());
  instruction.header = *header;
  const auto operands = scan.operands(*header);
  if (!operands) return tl::unexpected(operands.error());
  instruction.operands = *operands;
  return instruction;
}

void encode(const Instruction& instruction, OctetBuffer& out) {
  encode(instruction.header, out);
  if (instruction.header.ext)
    for (const ExtensionHeader& extension : instruction.extensions) encode(extension, out);
  Writer(out).octets(instruction.operands);
}

OctetBuffer encode(const Instruction& instruction) {
  OctetBuffer out;
  encode(instruction, out);
  return out;
}

Instruction make_instruction(std::uint8_t opcode, OctetBuffer& operands) {
  operands.resize((operands.size() + 3) / 4 * 4);
  Instruction instruction{.header = {.opcode = opcode}, .extensions = {}, .operands = operands};
  instruction.header.opr_length = static_cast<std::uint16_t>(operands.size() / 4);
  instruction.header.extended = instruction.header.is_extended();
  return instruction;
}

void add_extension(Instruction& instruction, ExtensionHeader header) {
  for (ExtensionHeader& earlier : instruction.extensions) earlier.hsl = false;
  header.hsl = true;
  instruction.header.ext = true;
  instruction.extensions.push_back(header);
}

tl::expected<Extent, DecodeError> instruction_octets(Octets first, const Limits& limits, Form form) {
  Scan scan(first, limits, form);
  const auto header = scan.heads([](const ExtensionHeader&) {});
  if (header) {
    const auto operands = scan.operands(*header);
    if (operands) return Extent{static_cast<std::uint64_t>(operands->data() + operands->size() - first.data()), true};
    if (operands.error().problem == Problem::truncated) return Extent{operands.error().needed, true};
    return tl::unexpected(operands.error());
  }
  if (header.error().problem == Problem::truncated) return Extent{header.error().needed, false};
  return tl::unexpected(header.error());
}

}  // namespace wirelaw::umsp
