// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 6.6, 6.6.4 and 6.6.5: objects, their creation and their names.
#include "conformance/umsp/6.6-objects/objects.h"

#include "conformance/umsp/6-exchange/exchange_checks.h"
#include "conformance/umsp/6.6-objects/rules.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint64_t kRangeThree = 0x3000'0000;  // the first number of each range
constexpr std::uint64_t kRangeFour = 0x5000'0000;
constexpr std::uint64_t kRangeFive = 0xe000'0000;

std::string number_text(std::uint64_t number) {
  return fmt::format("0x{:08x}", number);
}

// Judges the name of an object in any instruction.
void judge_object_name(Judge& judge, const SeenInstruction& seen) {
  constexpr std::size_t kLeastName = 4;
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index) {
    const ExtensionHeader& header = seen.instruction.extensions[index];
    if (header.head_code != static_cast<std::uint16_t>(HeadCode::name) || header.data.empty()) continue;
    judge.require(rule<"UMSP-6.6.5-1">, header.data.size() >= kLeastName, seen.extension_data(index),
                  expected("4 octets or more"), actual(header.data.size()));
  }
}

void judge_new(Judge& judge, const SeenInstruction& seen) {
  judge_object(judge, seen);
  judge_object_name(judge, seen);
  judge_data_once(judge, seen, Operand::data, rule<"UMSP-6.6.4.1-7">);
}

void judge_object_of_answer(Judge& judge, const SeenInstruction& seen) {
  judge_object_name(judge, seen);
  if (!judge_object(judge, seen)) return;
  const std::uint64_t number = seen.value(Operand::object_number).value_or(0);
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index)
    if (seen.instruction.extensions[index].head_code == static_cast<std::uint16_t>(HeadCode::name))
      judge.require(rule<"UMSP-6.6.4-8">, number >= kRangeThree, seen.extension(index),
                    expected("no name of an object below 0x30000000"), actual([&] { return number_text(number); }));
}

void judge_delete(Judge& judge, const SeenInstruction& seen) {
  if (!judge_object(judge, seen)) return;
  const std::uint64_t number = seen.value(Operand::object_number).value_or(0);
  judge.require(rule<"UMSP-6.6.4.3-1">, number >= kRangeThree, seen.operand(Operand::object_number),
                expected("0x30000000 to 0xdfffffff"), actual([&] { return number_text(number); }));
}

void judge_seek(Judge& judge, const SeenInstruction& seen) {
  judge_name_there(judge, seen, rule<"UMSP-6.6.5.1-2">);
  judge_object_name(judge, seen);
}

void judge_get_name(Judge& judge, const SeenInstruction& seen) {
  judge_object(judge, seen);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::create, .last = Opcode::sys_new, .opr_length = &rule<"UMSP-6.6.4.1-3">, .judge = judge_new},
    {.first = Opcode::object, .opr_length = &rule<"UMSP-6.6.4.2-2">, .judge = judge_object_of_answer},
    {.first = Opcode::destroy, .opr_length = &rule<"UMSP-6.6.4.3-2">, .judge = judge_delete},
    {.first = Opcode::obj_seek, .opr_length = &rule<"UMSP-6.6.5.1-1">, .judge = judge_seek},
    {.first = Opcode::obj_get_name, .opr_length = &rule<"UMSP-6.6.5.2-1">, .judge = judge_get_name}};

// ------------------------------------------------------------------------------------------------------------ answers

void judge_made(Judge& judge, const SeenInstruction& seen, const Asked& asked) {
  const auto number = seen.value(Operand::object_number);
  if (!number || *number >= kRangeFive) return;
  const bool of_system = asked.opcode == static_cast<std::uint8_t>(Opcode::sys_new);
  const bool fits = of_system ? *number >= kRangeThree && *number < kRangeFour : *number >= kRangeFour;
  judge.require(of_system ? rule<"UMSP-6.6-4"> : rule<"UMSP-6.6-5">, fits, seen.operand(Operand::object_number),
                expected(of_system ? "0x30000000 to 0x4fffffff" : "0x50000000 to 0xdfffffff"),
                actual([&] { return number_text(*number); }),
                [&] { return fmt::format("message {} asked", asked.index + 1); });
}

void judge_named(Judge& judge, const SeenInstruction& seen, const Asked& asked) {
  const auto number = seen.value(Operand::object_number);
  if (!number || *number >= kRangeFive) return;
  if (judge.require(rule<"UMSP-6.6.5.2-5">, *number == asked.object, seen.operand(Operand::object_number),
                    expected([&] { return number_text(asked.object); }), actual([&] { return number_text(*number); }),
                    [&] { return fmt::format("message {} asked", asked.index + 1); }))
    judge_name_there(judge, seen, rule<"UMSP-6.6.5.2-4">);
}

constexpr ExchangeAnswerRules kAnswers[] = {
    {.first = Opcode::create,
     .last = Opcode::sys_new,
     .answer = Opcode::object,
     .kind = &rule<"UMSP-6.6.4.1-11">,
     .no_rsp = &rule<"UMSP-6.6.4.1-13">,
     .judge = judge_made},
    {.first = Opcode::destroy, .kind = &rule<"UMSP-6.6.4.3-5">},
    {.first = Opcode::obj_seek, .answer = Opcode::object, .no_rsp = &rule<"UMSP-6.6.5.1-5">},
    {.first = Opcode::obj_get_name, .answer = Opcode::object, .no_rsp = &rule<"UMSP-6.6.5.2-7">, .judge = judge_named}};
constexpr ExchangeResponseRules kResponses[] = {{Opcode::object, &rule<"UMSP-6.6.4.2-1">}};

}  // namespace

SectionTables object_tables() {
  return {.instructions = kInstructions, .answers = kAnswers, .responses = kResponses};
}

void judge_reached(Judge& judge, const SeenInstruction& seen, const Asked& asked) {
  if (asked.object < kRangeFour || asked.object >= kRangeFive) return;
  if (seen.header().pck != Pck::no_session && seen.membership.session_id != kZeroSession) return;
  const bool refuses = seen.is(Opcode::rsp) && !seen.says_yes();
  judge.require(rule<"UMSP-6.6-13">, refuses, octets(0, 1), expected("a negative RSP"), actual(seen.layout->name), [&] {
    return fmt::format("message {} asked for the object {} without a session", asked.index + 1,
                       number_text(asked.object));
  });
}

bool judge_object(Judge& judge, const SeenInstruction& seen) {
  const auto version = seen.value(Operand::object_version), realization = seen.value(Operand::object_realization);
  if (version && realization)
    judge.require(rule<"UMSP-6.6-21">, *version != 0 || *realization == 0, seen.operand(Operand::object_realization),
                  expected("0, as the version is"), actual(*realization));
  const auto number = seen.value(Operand::object_number);
  if (!number) return true;
  return judge.require(rule<"UMSP-6.6-6">, *number < kRangeFive, seen.operand(Operand::object_number),
                       expected("0xdfffffff or less"), actual([&] { return number_text(*number); }));
}

}  // namespace wirelaw::umsp
