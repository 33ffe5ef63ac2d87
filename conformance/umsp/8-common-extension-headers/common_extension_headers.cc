// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 8: extension headers that all instructions may have.
#include "conformance/umsp/8-common-extension-headers/common_extension_headers.h"

#include <algorithm>

#include "conformance/umsp/3.1-header/header.h"
#include "conformance/umsp/8-common-extension-headers/rules.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

// Requires that HEAD_LENGTH is in `allowed`, or one word longer for the alignment of S20: zeros after DATA, up to a
// multiple of four octets (5.3.4).
bool judge_length(Judge& judge, const Rule& rule, const SeenInstruction& seen, std::size_t index, LengthRange allowed) {
  const ExtensionHeader& header = seen.instruction.extensions[index];
  const auto is_border = [&] {
    const std::uint64_t octets = header.head_octets() + header.data_octets();
    return header.head_length == allowed.most + 1 && octets % 4 == 0 && number_of(header.data.last(2)) == 0 &&
           seen.before.may_have_border;
  };
  return judge.require(rule, allowed.contains(header.head_length) || is_border(), seen.extension(index),
                       expected([&] { return fmt::format("{} to {} words", allowed.least, allowed.most); }),
                       actual(header.head_length));
}

// ------------------------------------------------------------------------------------------------------ _ALIGNMENT

void judge_alignment(Judge& judge, const SeenInstruction& seen, std::size_t index) {
  if (!judge_length(judge, rule<"UMSP-8.1-4">, seen, index, {1, 7})) return;
  const Octets data = seen.instruction.extensions[index].data;
  const bool zero = std::ranges::all_of(data, [](Octet octet) { return octet == 0; });
  judge.require(rule<"UMSP-8.1-6">, zero, seen.extension_data(index), expected("zeros"),
                actual("octets that are not zero"));
}

// After text of an odd length there is one more octet, which should be zero but need not be (UMSP/A18).
void judge_ascii(Judge& judge, const Rule& rule, const SeenInstruction& seen, std::size_t index) {
  const Octets data = seen.instruction.extensions[index].data;
  const auto other = std::ranges::find_if(data, [](Octet octet) { return octet > 0x7f; });
  const bool ascii = other == data.end();
  const auto at = static_cast<std::size_t>(other - data.begin());
  const OctetRange where = octets(seen.extension_data(index).offset + (ascii ? 0 : at), ascii ? data.size() : 1);
  const auto found = [&] { return fmt::format("0x{:02x}", *other); };
  if (!ascii && at + 1 == data.size())
    judge.advise(rule, false, where, expected("ASCII"), actual(found), "it may be what pads a text of odd length");
  else
    judge.require(rule, ascii, where, expected("ASCII"), actual(found));
}

// ------------------------------------------------------------------------------------------------------------ _MSG

void judge_msg(Judge& judge, const SeenInstruction& seen, std::size_t index) {
  if (judge_length(judge, rule<"UMSP-8.2-4">, seen, index, {1, 127}))
    judge_ascii(judge, rule<"UMSP-8.2-1">, seen, index);
}

// ----------------------------------------------------------------------------------------------------------- _NAME

void judge_name(Judge& judge, const SeenInstruction& seen, std::size_t index) {
  if (judge_length(judge, rule<"UMSP-8.3-3">, seen, index, {1, 127}))
    judge_ascii(judge, rule<"UMSP-8.3-5">, seen, index);
}

// ----------------------------------------------------------------------------------------------------------- _DATA

// True for CMP and the WRITE of two octets, whose own sections forbid _DATA or have no use for it (6.2.1, UMSP/A32).
bool has_data_rule(std::uint8_t opcode) {
  return opcode == static_cast<std::uint8_t>(Opcode::write_2) ||
         (opcode >= static_cast<std::uint8_t>(Opcode::cmp_2) && opcode <= static_cast<std::uint8_t>(Opcode::cmp_16));
}

void judge_data(Judge& judge, const SeenInstruction& seen, std::size_t index) {
  if (seen.layout == nullptr) return;
  const OctetRange where = seen.extension(index);
  const bool between = seen.layout->opcode_class() == OpcodeClass::exchange;
  if (!judge.require(rule<"UMSP-8.4-1">, between, where, expected("an OPCODE of 128 to 223"),
                     actual(seen.layout->name)))
    return;
  if (!has_data_rule(seen.instruction.opcode()))
    judge.advise(rule<"UMSP-8.4-2">, seen.layout->lists(HeadCode::data), where,
                 expected("an instruction that has data"), actual(seen.layout->name));
}

// ------------------------------------------------------------------------------------------------------ _LIFE_TIME

bool has_header(const Instruction& instruction, HeadCode code) {
  return instruction.find_extension(static_cast<std::uint16_t>(code)) != nullptr;
}

void judge_life_time(Judge& judge, const SeenInstruction& seen, std::size_t index) {
  if (!judge_length(judge, rule<"UMSP-8.5-2">, seen, index, {1, 2})) return;
  const OctetRange where = seen.extension(index);
  const bool begins = has_header(seen.instruction, HeadCode::begin_tr);
  const ObservedChainKind kind = begins ? ObservedChainKind::unknown : seen.before.chain;
  // The kind of a chain follows from instructions that this connection has carried.
  judge.require(rule<"UMSP-8.5-14">, !begins && kind != ObservedChainKind::transaction, where,
                expected("no _LIFE_TIME in a transaction"), actual("_LIFE_TIME"), std::string_view{},
                begins ? Evidence::octets : Evidence::absence);
  const bool first = has_header(seen.instruction, HeadCode::begin_frg);
  if (first || kind == ObservedChainKind::fragments)
    judge.require(rule<"UMSP-8.5-15">, first, where, expected("no _LIFE_TIME after the first fragment"),
                  actual("_LIFE_TIME"));
}

constexpr ExtensionRules kExtensions[] = {
    {.head_code = HeadCode::alignment, .hob = &rule<"UMSP-8.1-5">, .judge = judge_alignment},
    {.head_code = HeadCode::msg, .hob = &rule<"UMSP-8.2-5">, .judge = judge_msg},
    {.head_code = HeadCode::name, .hob = &rule<"UMSP-8.3-4">, .judge = judge_name},
    {.head_code = HeadCode::data, .hob = &rule<"UMSP-8.4-7">, .head_length = &rule<"UMSP-8.4-5">, .judge = judge_data},
    {.head_code = HeadCode::life_time,
     .hob = &rule<"UMSP-8.5-3">,
     .data = &rule<"UMSP-8.5-2">,
     .judge = judge_life_time},
};

}  // namespace

SectionTables common_extension_tables() {
  return {.extensions = kExtensions};
}

// The first fragment contains the heads of the extension headers, as far as they fit into it (7.3, UMSP/A17).
void judge_first_fragment(Judge& judge, const SeenInstruction& seen) {
  if (!seen.is(Opcode::nop) || !has_header(seen.instruction, HeadCode::begin_frg)) return;
  const Octets rest = seen.instruction.operands;
  const auto header = decode_header(rest, Form::fragmented);
  if (!header) return;
  judge_opcode(judge, header->opcode, octets(seen.all_operands().offset, 1));
  std::size_t at = header->octets();
  bool more = header->ext;
  for (std::size_t count = 0; more && count < kMostExtensionHeaders && at <= rest.size(); ++count) {
    const auto head = decode_head(rest.subspan(at));
    if (!head) break;
    if (head->head_code == static_cast<std::uint16_t>(HeadCode::life_time)) {
      judge.require(rule<"UMSP-8.5-16">, false, octets(seen.all_operands().offset + at, head->head_octets()),
                    expected("no _LIFE_TIME in the fragmented instruction"), actual("_LIFE_TIME"));
      return;
    }
    const std::uint64_t octets = head->head_octets() + head->data_octets();
    if (octets > rest.size() - at) break;
    at += static_cast<std::size_t>(octets);
    more = !head->hsl;
  }
  judge.require(rule<"UMSP-8.5-16">, true, seen.all_operands(), expected(""), actual(""));
}

}  // namespace wirelaw::umsp
