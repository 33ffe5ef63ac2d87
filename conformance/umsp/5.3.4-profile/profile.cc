// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.3.4: the profile of a session, and instructions that it does not allow.
#include "conformance/umsp/5.3.4-profile/profile.h"

#include <algorithm>

#include "conformance/umsp/5.3.4-profile/rules.h"

namespace wirelaw::umsp {
namespace {

// S0 is the most significant bit (UMSP/A5).
constexpr bool has(std::uint32_t profile, unsigned flag) {
  return (profile >> (31 - flag) & 1) != 0;
}
constexpr std::uint32_t field_of(std::uint32_t profile, unsigned first, unsigned width) {
  return profile >> (32 - first - width) & ((1u << width) - 1);
}
constexpr std::uint32_t kUmspVersion = 1;

std::string describe(std::uint32_t profile) {
  return fmt::format("0x{:08x}", profile);
}

// ---------------------------------------------------------------------------------------------- a profile by itself

void judge_profile(Judge& judge, const SeenInstruction& seen, Operand operand) {
  const auto value = seen.value(operand);
  if (!value) return;
  const auto profile = static_cast<std::uint32_t>(*value);
  const OctetRange where = seen.operand(operand);
  const Actual is = actual([&] { return describe(profile); });
  judge.require(rule<"UMSP-5.3.4-9">, !has(profile, 5), where, expected("S5 0"), is);
  judge.require(rule<"UMSP-5.3.4-33">, has(profile, 28) || !has(profile, 29), where, expected("S29 0, as S28 is 0"),
                is);
  judge.require(rule<"UMSP-5.3.4-35">, !has(profile, 31), where, expected("S31 0"), is);
}

// ------------------------------------------------------------------------------ what the receiving side does not offer

struct Codes {
  Opcode first, last;
};
// A function that the sender may not use if the receiver's flag is 0.
struct Function {
  const Rule* rule;
  unsigned flag;
  std::array<Codes, 3> codes;
};
using enum Opcode;
constexpr Codes kNone{nop, nop};
// Requests. The order matters: the first match is reported, so that one fault gives one finding.
constexpr Function kFunctions[] = {
    {&rule<"UMSP-5.3.4-31">, 28, {{{obj_req_data_2, get_num_proc}, {create, sys_new}, {destroy, obj_get_name}}}},
    {&rule<"UMSP-5.3.4-32">, 29, {{{obj_req_data_2, obj_data_cmp_ext}, kNone, kNone}}},
    {&rule<"UMSP-5.3.4-24">, 21, {{{call_bname, get_num_proc}, kNone, kNone}}},
    {&rule<"UMSP-5.3.4-27">, 24, {{{req_data_2, req_data_4}, {cmp_2, cmp_ext}, {obj_req_data_2, obj_req_data_4}}}},
    {&rule<"UMSP-5.3.4-27">, 24, {{{obj_data_cmp_2, obj_data_cmp_ext}, kNone, kNone}}},
    {&rule<"UMSP-5.3.4-28">, 25, {{{write_2, write_ext}, {obj_write_2, obj_write_ext}, kNone}}},
    {&rule<"UMSP-5.3.4-29">, 26, {{{jump, call_vm}, kNone, kNone}}},
    {&rule<"UMSP-5.3.4-30">, 27, {{{syn_4, syn_16}, kNone, kNone}}},
    {&rule<"UMSP-5.3.4-10">, 6, {{{write_16, write_16}, {cmp_16, cmp_16}, {syn_16, syn_16}}}}};

bool uses(const Function& function, std::uint8_t opcode) {
  return std::ranges::any_of(function.codes, [&](const Codes& codes) {
    return codes.first != nop && opcode >= static_cast<std::uint8_t>(codes.first) &&
           opcode <= static_cast<std::uint8_t>(codes.last);
  });
}

bool uses_object_name(const SeenInstruction& seen) {
  const bool names = seen.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::name)) != nullptr;
  return seen.is(obj_seek) || ((seen.is(create) || seen.is(sys_new)) && names);
}

bool is_request_of_vm(const SeenInstruction& seen) {
  return seen.is_request_of_vm() && !seen.is(nop) && !controls_chain(seen.instruction.opcode());
}

void judge_functions(Judge& judge, const SeenInstruction& seen, std::uint32_t profile) {
  const Actual is = actual([&] { return describe(profile); });
  const auto needs = [&](const Rule& rule, unsigned flag) {
    return judge.require(rule, has(profile, flag), octets(0, 1),
                         expected([&] { return fmt::format("S{} 1 in the profile of the receiver", flag); }), is);
  };
  if (is_request_of_vm(seen) && !needs(rule<"UMSP-5.3.4-8">, 4)) return;
  for (const Function& function : kFunctions)
    if (uses(function, seen.instruction.opcode()) && !needs(*function.rule, function.flag)) return;
  if (uses_object_name(seen)) needs(rule<"UMSP-5.3.4-25">, 22);
}

void judge_chain_kinds(Judge& judge, const SeenInstruction& seen, std::uint32_t profile) {
  struct Kind {
    HeadCode code;
    const Rule* rule;
    unsigned flag;
  };
  static constexpr Kind kKinds[] = {{HeadCode::begin_frg, &rule<"UMSP-5.3.4-4">, 0},
                                    {HeadCode::begin_sq, &rule<"UMSP-5.3.4-5">, 1},
                                    {HeadCode::begin_tr, &rule<"UMSP-5.3.4-6">, 2}};
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index)
    for (const Kind& kind : kKinds)
      if (seen.instruction.extensions[index].head_code == static_cast<std::uint16_t>(kind.code))
        judge.require(*kind.rule, has(profile, kind.flag), seen.extension(index),
                      expected([&] { return fmt::format("S{} 1 in the profile of the receiver", kind.flag); }),
                      actual([&] { return describe(profile); }));
}

// --------------------------------------------------------------------------------------------------- forms and lengths

constexpr std::size_t kShortDataOctets = 254;
constexpr unsigned kBorder = 20;  // requires the extended form, whatever S8 is

void judge_forms(Judge& judge, const SeenInstruction& seen, std::uint32_t profile) {
  const Actual is = actual([&] { return describe(profile); });
  const OctetRange where = seen.field(HeaderField::opr_length);
  const bool extended = seen.header().is_extended();
  if (has(profile, 7) || has(profile, 8))
    judge.require(extended ? rule<"UMSP-5.3.4-12"> : rule<"UMSP-5.3.4-11">,
                  extended ? has(profile, 8) || has(profile, kBorder) : has(profile, 7), where,
                  expected([&] { return extended ? "S8 1 in the profile of the receiver" : "OPR_LENGTH 7"; }), is);
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index) {
    const std::size_t length = seen.instruction.extensions[index].data.size();
    if (length > kShortDataOctets)
      judge.require(rule<"UMSP-5.3.4-14">, has(profile, 10), seen.extension(index),
                    expected("no more than 254 octets of DATA"), actual(length));
    else if (length > 0)
      judge.require(rule<"UMSP-5.3.4-13">, has(profile, 9) || has(profile, 10), seen.extension(index),
                    expected("no DATA"), actual(length));
  }
}

void judge_data_length(Judge& judge, const SeenInstruction& seen, std::uint32_t profile) {
  constexpr std::uint32_t kNoLimit = 31, kPrintedNoLimit = 15;
  const std::uint32_t words = field_of(profile, 11, 5) + 1;
  const auto data = seen.octets_of(Operand::data);
  // The data of a NOP are fragments or nothing.
  if (!data || seen.is(nop) || words - 1 == kNoLimit || words - 1 == kPrintedNoLimit) return;
  judge.require(rule<"UMSP-5.3.4-16">, data->size() <= std::size_t{words} * 4, seen.operand(Operand::data),
                expected([&] { return fmt::format("{} octets of data at most", words * 4); }), actual(data->size()));
}

void judge_border(Judge& judge, const SeenInstruction& seen) {
  const Instruction& instruction = seen.instruction;
  if (!judge.require(rule<"UMSP-5.3.4-21">, seen.header().is_extended(), seen.field(HeaderField::opr_length),
                     expected("7"), actual(instruction.header.opr_length)))
    return;
  bool aligned = true;
  for (std::size_t index = 0; index < instruction.extensions.size(); ++index)
    aligned = aligned && instruction.offset_of_extension(index) % 4 == 0;
  if (!instruction.operands.empty()) aligned = aligned && instruction.offset_of_operands() % 4 == 0;
  judge.advise(rule<"UMSP-5.3.4-22">, aligned, octets(0, static_cast<std::size_t>(instruction.offset_of_operands())),
               expected("extension headers and operands at multiples of four octets"), actual("another offset"));
}

void check_zero_profile(Judge& judge, const SeenInstruction& seen, std::uint32_t profile) {
  if (!is_request_of_vm(seen)) return;
  const Actual is = actual([&] { return describe(profile); });
  if (!judge.advise(rule<"UMSP-5.3.4-7">, has(profile, 3), octets(0, 1),
                    expected("S3 1 in what the receiver says of its zero-session"), is))
    return;
  if (seen.is(mvrun))
    judge.advise(rule<"UMSP-5.3.4-34">, has(profile, 30), octets(0, 1),
                 expected("S30 1 in what the receiver says of its zero-session"), is);
}

}  // namespace

void judge_profiles(Judge& judge, const SeenInstruction& seen) {
  judge_profile(judge, seen, Operand::required_profile);
  judge_profile(judge, seen, Operand::sender_profile);
  if (seen.is_of_zero_session()) return;
  const auto profile = static_cast<std::uint32_t>(seen.value(Operand::required_profile).value_or(0));
  const std::uint32_t version = field_of(profile, 16, 4);
  judge.require(rule<"UMSP-5.3.4-18">, version == kUmspVersion, seen.operand(Operand::required_profile),
                expected(kUmspVersion), actual(version), "S16 to S19");
}

void check_profile(Judge& judge, const SeenInstruction& seen, const ProfileFact& fact) {
  if (fact.is_of_zero_session) return check_zero_profile(judge, seen, fact.profile);
  judge_functions(judge, seen, fact.profile);
  judge_chain_kinds(judge, seen, fact.profile);
  judge_data_length(judge, seen, fact.profile);
  if (fact.have_border) return judge_border(judge, seen);
  judge_forms(judge, seen, fact.profile);
}

}  // namespace wirelaw::umsp
