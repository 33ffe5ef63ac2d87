// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/operands.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "reference/octets/hex.h"

namespace wirelaw::umsp {
namespace {

// "ctid 0+2, gtid 2+7, ltid 9+2 | padding 11+1 | flaw at 3 in gtid"
std::string text_of(const OperandView& view) {
  std::string text;
  for (const Located& located : view.operands)
    text += (text.empty() ? "" : ", ") + std::string(describe(located.row->operand).name) + ' ' +
            std::to_string(located.offset) + '+' + std::to_string(located.length);
  if (view.padding > 0)
    text += " | padding " + std::to_string(view.padding_offset) + '+' + std::to_string(view.padding);
  if (view.flaw)
    text += " | " + std::string(explain(*view.flaw)) + " at " + std::to_string(view.flaw_offset) +
            (view.flaw_operand.empty() ? "" : " in " + std::string(view.flaw_operand));
  return text;
}

std::string located(unsigned opcode, const char* hex, const Lengths& lengths = {}) {
  OctetBuffer operands = *from_hex(hex);
  return text_of(locate(make_instruction(static_cast<std::uint8_t>(opcode), operands), lengths));
}

std::string located_data(std::uint16_t head_code, const char* hex) {
  OctetBuffer data = *from_hex(hex);
  return text_of(locate(make_extension(head_code, false, data)));
}

// Examples written from the document's lists of operands, at least one for each code.
struct Example {
  unsigned opcode;
  const char* operands;
  const char* places;
};

constexpr Example kManagement[] = {
    {1, "", ""},
    {1, "00010002", "basic_return_code 0+2, additional_return_code 2+2"},
    {2, "00010002", "basic_return_code 0+2, additional_return_code 2+2"},
    {3, "003c0100 00001000", "control_profile 0+4, ltid 4+4"},
    {3, "003c0100 00000000 00001000", "control_profile 0+4, ltid 4+8"},
    {4, "40 0a000001 0007", "gjid 0+7 | padding 7+1"},
    {4, "1011 1213", "gjid 0+4"},
    {5, "00010002", "basic_error_code 0+2, additional_error_code 2+2"},
    {5, "00010002 003c0100", "basic_error_code 0+2, additional_error_code 2+2, control_profile 4+4"},
    {6, "0007 40 0a000001 0008 0009", "ctid 0+2, gtid 2+7, ltid 9+2 | padding 11+1"},
    {7, "00000007 42 0a000001 00000008 00000009", "ctid 0+4, gtid 4+9, ltid 13+4 | padding 17+3"},
    {8, "0000000000000007 42 0a000001 00000008 0000000000000009", "ctid 0+8, gtid 8+9, ltid 17+8 | padding 25+3"},
    {9, "00000007", "ctid 0+4"},
    {9, "0000000000000007", "ctid 0+8"},
    {10, "00010002", "basic_error_code 0+2, additional_error_code 2+2"},
    {11, "00000007 42 0a000001 00000008 00000009", "ctid 0+4, gtid 4+9, ltid 13+4 | padding 17+3"},
    {12, "0001 0001 f8000000 0002 0001 f8000000 0040 42 0a000001 00000007 00000009",
     "required_vm_type 0+2, required_vm_version 2+2, required_profile 4+4, sender_vm_type 8+2, "
     "sender_vm_version 10+2, sender_profile 12+4, window 16+2, gjid 18+9, ltid 27+4 | padding 31+1"},
    {13, "", ""},
    {14, "00010002", "basic_error_code 0+2, additional_error_code 2+2"},
    {15, "", ""},
    {15, "00010002", "basic_termination_code 0+2, additional_termination_code 2+2"},
    {16, "00010002", "basic_termination_code 0+2, additional_termination_code 2+2"},
    {17, "00010002 00000007", "basic_termination_code 0+2, additional_termination_code 2+2, ctid 4+4"},
    {18, "00010002 42 0a000001 00000007 000000",
     "basic_termination_code 0+2, additional_termination_code 2+2, gtid 4+9 | padding 13+3"},
    {19, "00000000 00000007", "basic_completion_code 0+2, additional_completion_code 2+2, ctid 4+4"},
    {20, "42 0a000001 00000007 000000", "gjid 0+9 | padding 9+3"},
    {20, "00000000 42 0a000001 00000007 000000",
     "basic_completion_code 0+2, additional_completion_code 2+2, gjid 4+9 | padding 13+3"},
    {21, "00000007", "ltid 0+4"},
    {21, "0000000000000007", "ltid 0+8"},
    {22, "01 00 0007", "state 0+1, reserved 1+1, ctid 2+2"},
    {22, "01 000000 00000007", "state 0+1, reserved 1+3, ctid 4+4"},
    {22, "01 000000 0000000000000007", "state 0+1, reserved 1+3, ctid 4+8"},
    {23, "00000007", "ltid 0+4"},
    {24, "00010000", "buffer_size 0+4"},
    {25, "", "vm_type 0+0"},
    {25, "0001 0001 0002 ffff", "vm_type 0+8"},
    {26, "0100 0000 0001 0001", "transport 0+2, reserved 2+2, vm_type 4+4"},
};

constexpr Example kMemory[] = {
    {129, "00010002", "basic_return_code 0+2, additional_return_code 2+2"},
    {130, "0010 1000", "length 0+2, memory_address 2+2"},
    {130, "0010 00001000 0000", "length 0+2, memory_address 2+4 | padding 6+2"},
    {130, "0010 0000000000001000 0000", "length 0+2, memory_address 2+8 | padding 10+2"},
    {130, "0010 42000000000000000a00000100001000 0000", "length 0+2, memory_address 2+16 | padding 18+2"},
    {131, "00000010 00001000", "length 0+4, memory_address 4+4"},
    {131, "00000010 42000000000000000a00000100001000", "length 0+4, memory_address 4+16"},
    {132, "", "data 0+0"},
    {132, "01020304", "data 0+4"},
    {133, "1000 dead", "memory_address 0+2, data 2+2"},
    {134, "00001000", "memory_address 0+4, data 4+0"},
    {134, "00001000 deadbeef", "memory_address 0+4, data 4+4"},
    {135, "0000000000001000 deadbeef", "memory_address 0+8, data 8+4"},
    {136, "42000000000000000a00000100001000 deadbeef", "memory_address 0+16, data 16+4"},
    {137, "00 000005 0102030405 000000 00001000", "zero 0+1, data_length 1+3, data 4+5, memory_address 12+4"},
    {137, "00 000004 01020304 0000000000001000", "zero 0+1, data_length 1+3, data 4+4, memory_address 8+8"},
    {138, "1000 dead", "memory_address 0+2, data 2+2"},
    {139, "00001000 deadbeef", "memory_address 0+4, data 4+4"},
    {140, "0000000000001000 deadbeef", "memory_address 0+8, data 8+4"},
    {141, "42000000000000000a00000100001000 deadbeef", "memory_address 0+16, data 16+4"},
    {142, "00 000001 01 000000 00001000", "zero 0+1, data_length 1+3, data 4+1, memory_address 8+4"},
    {143, "00001000 0001 aabbccdd 0000", "memory_address 0+4, parameters_length 4+2, parameters 6+4 | padding 10+2"},
    {143, "00001000 0000 0000", "memory_address 0+4, parameters_length 4+2, parameters 6+0 | padding 6+2"},
    {144, "0001 0002 0000000000001000 0001 aabbccdd 0000",
     "sender_vm_type 0+2, sender_vm_version 2+2, memory_address 4+8, parameters_length 12+2, parameters 14+4 | "
     "padding 18+2"},
    {145, "42000000000000000a00000100001000 0001 aabbccdd 0000",
     "memory_address 0+16, parameters_length 16+2, parameters 18+4 | padding 22+2"},
    {146, "0001 0002 00001000 0000 0000",
     "sender_vm_type 0+2, sender_vm_version 2+2, memory_address 4+4, parameters_length 8+2, parameters 10+0 | "
     "padding 10+2"},
    {147, "01020304", "data 0+4"},
    {148, "00001000", "memory_size 0+4"},
    {149, "0001 0002 aabbccdd", "vm_type 0+2, vm_version 2+2, code 4+4"},
    {150, "00001000", "memory_address 0+4"},
    {150, "42000000000000000a00000100001000", "memory_address 0+16"},
    {151, "0000000000001000", "memory_address 0+8"},
    {152, "0001 0002 aabbccdd", "vm_type 0+2, vm_version 2+2, code 4+4"},
    {153, "00001000 1111 2222", "memory_address 0+4, initial_data 4+2, mask 6+2"},
    {154, "0000000000001000 11111111 22222222", "memory_address 0+8, initial_data 8+4, mask 12+4"},
    {155, "42000000000000000a00000100001000 1111 2222", "memory_address 0+16, initial_data 16+2, mask 18+2"},
    {156, "8602", "data 0+4"},
    {158, "", ""},
    {159, "", ""},
};

#define OBJECT "30000001 0002 0003"
#define OBJECT_AT_0 "object_number 0+4, object_version 4+2, object_realization 6+2"
#define OBJECT_AT_4 "object_number 4+4, object_version 8+2, object_realization 10+2"
constexpr Example kObjects[] = {
    {192, OBJECT "0010 0004", OBJECT_AT_0 ", length 8+2, offset 10+2"},
    {193, OBJECT "00000010 00000004", OBJECT_AT_0 ", length 8+4, offset 12+4"},
    {193, OBJECT "00000010 0000000000000004", OBJECT_AT_0 ", length 8+4, offset 12+8"},
    {194, OBJECT "0004 dead", OBJECT_AT_0 ", offset 8+2, data 10+2"},
    {195, OBJECT "00000004 deadbeef", OBJECT_AT_0 ", offset 8+4, data 12+4"},
    {196, OBJECT "0000000000000004 deadbeef", OBJECT_AT_0 ", offset 8+8, data 16+4"},
    {197, OBJECT "00 000003 aabbcc00 00000004", OBJECT_AT_0 ", zero 8+1, data_length 9+3, data 12+3, offset 16+4"},
    {198, OBJECT "0004 dead", OBJECT_AT_0 ", offset 8+2, data 10+2"},
    {199, OBJECT "00000004 deadbeef", OBJECT_AT_0 ", offset 8+4, data 12+4"},
    {200, OBJECT "0000000000000004 deadbeef", OBJECT_AT_0 ", offset 8+8, data 16+4"},
    {201, OBJECT "00 000004 aabbccdd 0000000000000004",
     OBJECT_AT_0 ", zero 8+1, data_length 9+3, data 12+4, offset 16+8"},
    {202, OBJECT "00000009 aabbccdd", OBJECT_AT_0 ", procedure_number 8+4, parameters 12+4"},
    {203, "0001 0002" OBJECT "00000009 aabbccdd",
     "sender_vm_type 0+2, sender_vm_version 2+2, " OBJECT_AT_4 ", procedure_number 12+4, parameters 16+4"},
    {204, OBJECT "aabbccdd", OBJECT_AT_0 ", parameters 8+4"},
    {205, "0001 0002" OBJECT "aabbccdd", "sender_vm_type 0+2, sender_vm_version 2+2, " OBJECT_AT_4 ", parameters 12+4"},
    {206, OBJECT, OBJECT_AT_0},
    {207, OBJECT "00000009", OBJECT_AT_0 ", procedure_number 8+4"},
    {208, "0001 0002 0003 0004 aabbccdd",
     "vm_type 0+2, vm_version 2+2, object_version 4+2, object_realization 6+2, data 8+4"},
    {209, "0001 0002 0003 0004", "vm_type 0+2, vm_version 2+2, object_version 4+2, object_realization 6+2, data 8+0"},
    {210, OBJECT, OBJECT_AT_0},
    {211, "30000001", "object_number 0+4"},
    {212, "", ""},
    {213, "30000001", "object_number 0+4"},
};
#undef OBJECT
#undef OBJECT_AT_0
#undef OBJECT_AT_4

TEST(Operands, AreWhereTheDocumentListsThem) {
  std::set<unsigned> seen;
  for (const auto& examples :
       {std::span<const Example>(kManagement), std::span<const Example>(kMemory), std::span<const Example>(kObjects)})
    for (const Example& example : examples) {
      seen.insert(example.opcode);
      EXPECT_EQ(located(example.opcode, example.operands), example.places) << example.opcode << ' ' << example.operands;
    }
  for (const Layout& layout : all_layouts()) EXPECT_TRUE(seen.contains(layout.code())) << layout.name;
}

TEST(ExtensionData, IsWhereTheDocumentListsIt) {
  struct Row {
    std::uint16_t head_code;
    const char* data;
    const char* places;
  };
  for (const Row& row :
       {Row{2, "003c", "inaction_period 0+2"}, Row{3, "", ""}, Row{3, "0000", " | padding 0+2"},
        Row{4, "80 0a", "transaction_flags 0+1, time_tr 1+1"}, Row{5, "", ""},
        Row{5, "0001 0002", "parent_chain_number 0+2, parent_instr_number 2+2"}, Row{6, "", ""},
        Row{7, "00001000", "memory_base 0+4"}, Row{7, "0000000000001000", "memory_base 0+8"},
        Row{7, "42000000000000000a00000100001000", "memory_base 0+16"}, Row{8, "000000000000", "alignment 0+6"},
        Row{9, "6869", "text 0+2"}, Row{10, "6a6f6221", "name 0+4"}, Row{11, "0102", "data 0+2"},
        Row{12, "0400", "life_time 0+2"}, Row{12, "00000400", "life_time 0+4"}})
    EXPECT_EQ(located_data(row.head_code, row.data), row.places) << row.head_code << ' ' << row.data;
  EXPECT_EQ(located_data(13, "0102"), " | padding 0+2 | the code is not assigned at 0");
}

// UMSP/A1: code 4 is the CONTROL_REJECT of the printed document if its operands are not a GJID.
TEST(Operands, OfCode4AreAGjidOrTheErrorCodesOfAReject) {
  const auto name = [](const char* hex) {
    OctetBuffer operands = *from_hex(hex);
    return layout_of(make_instruction(4, operands))->name;
  };
  EXPECT_EQ(name("40 0a000001 0007 00"), "CONTROL_CONFIRM");
  EXPECT_EQ(name("0001 0002"), "CONTROL_REJECT");
  EXPECT_EQ(name("0001 0002 003c0100"), "CONTROL_REJECT");
  EXPECT_EQ(name("4242 0000 003c0100"), "CONTROL_REJECT");   // nine octets by its header, eight there
  EXPECT_EQ(name("4041 0000 003c0100"), "CONTROL_CONFIRM");  // error code 0x4041: the collision that nothing settles
  EXPECT_EQ(name("0001 0002 0003 0004 0005 0006"), "CONTROL_CONFIRM");  // neither
  OctetBuffer none;
  EXPECT_EQ(layout_of(make_instruction(0, none)), nullptr);
}

// UMSP/A21: four octets after the GTID are an LTID of four, or one of two and padding.
TEST(Operands, OfTaskRegDependOnTheNode) {
  constexpr const char* kOctets = "00000007 40 0a000001 0008 0009 000000";
  EXPECT_EQ(located(7, kOctets), "ctid 0+4, gtid 4+7, ltid 11+4 | padding 15+1");
  EXPECT_EQ(located(7, kOctets, {.ltid = 2}), "ctid 0+4, gtid 4+7, ltid 11+2 | padding 13+3");
  EXPECT_EQ(located(7, kOctets, {.ltid = 3}), "ctid 0+4, gtid 4+7, ltid 11+4 | padding 15+1");
}

// UMSP/A29: which octets are the count depends on the length of the address, and on it whether all agrees.
TEST(Operands, OfJumpTakeTheLengthThatAgreesWithTheCount) {
  constexpr const char* kEither = "00010001 0001 0000 0000 0000";
  EXPECT_EQ(located(143, kEither), "memory_address 0+4, parameters_length 4+2, parameters 6+4 | padding 10+2");
  EXPECT_EQ(located(143, kEither, {.address = 8}),
            "memory_address 0+8, parameters_length 8+2, parameters 10+0 | padding 10+2");
  EXPECT_EQ(located(143, "00001000 0005 11111111 1111"),
            "memory_address 0+4, parameters_length 4+2 | padding 6+6 | the count does not agree with the octets that "
            "are there at 6 "
            "in parameters");
}

TEST(Operands, TakeNoCompleteAddressWhereNoneIsInUse) {
  constexpr const char* kOctets = "42000000000000000a00000100001000";
  EXPECT_EQ(located(150, kOctets, {.address = 4, .complete_addresses = false}),
            "memory_address 0+4 | padding 4+12 | octets that are not padding follow the last operand at 4");
}

TEST(Operands, SayWhatDoesNotFit) {
  EXPECT_EQ(located(3, "003c0100"), "control_profile 0+4 | the operands end too early at 4 in ltid");
}

TEST(Operands, NameTheirFlaw) {
  const auto flaw = [](unsigned opcode, const char* hex) {
    OctetBuffer operands = *from_hex(hex);
    return locate(make_instruction(static_cast<std::uint8_t>(opcode), operands)).flaw;
  };
  EXPECT_EQ(flaw(24, ""), OperandFlaw::too_short);
  EXPECT_EQ(flaw(24, "0000000000000000"), OperandFlaw::too_long);
  EXPECT_EQ(flaw(1, "0000000000000000"), OperandFlaw::too_long);
  EXPECT_EQ(flaw(18, "00000000 00000000"), OperandFlaw::identifier);
  EXPECT_EQ(flaw(136, "00000000000000000a00000100001000 deadbeef"), OperandFlaw::address);
  EXPECT_EQ(flaw(137, "00 ffffff 01020304 00001000"), OperandFlaw::count);
  EXPECT_EQ(flaw(137, "00 000005 0102030405 000001 00001000"), OperandFlaw::padding);
  EXPECT_EQ(flaw(4, "40 0a000001 0007 01"), OperandFlaw::padding);
  EXPECT_EQ(flaw(157, ""), OperandFlaw::unknown_code);
  for (unsigned value = 0; value <= static_cast<unsigned>(OperandFlaw::unknown_code); ++value)
    EXPECT_FALSE(explain(static_cast<OperandFlaw>(value)).empty());
}

TEST(Operands, GiveTheirValues) {
  OctetBuffer operands = *from_hex("003c0100 00001234");
  const Instruction request = make_instruction(3, operands);
  const OperandView view = locate(request);
  EXPECT_EQ(value_of(view, Operand::ltid, operands), 0x1234u);
  EXPECT_FALSE(value_of(view, Operand::ctid, operands));
  const std::uint64_t profile = *value_of(view, Operand::control_profile, operands);
  const auto bits = describe(Operand::control_profile).bits;
  EXPECT_EQ(bits_of(profile, bits[0], 4), 60u);  // JOB_LIFE_TIME
  EXPECT_EQ(bits_of(profile, bits[1], 4), 0u);   // CMT
  EXPECT_EQ(bits_of(profile, bits[3], 4), 1u);   // VERSION
}

// Whatever the octets: places are in order, within the operands, and only what has a flaw leaves octets over.
TEST(Operands, OfRandomOctetsAreInOrderAndInside) {
  std::mt19937 random(2110);
  unsigned fitting = 0;
  for (int round = 0; round < 100'000; ++round) {
    OctetBuffer operands(random() % 12 * 4);
    for (Octet& octet : operands) octet = static_cast<Octet>(random() % 2 == 0 ? random() : random() % 5);
    const Instruction instruction = make_instruction(static_cast<std::uint8_t>(random()), operands);
    const OperandView view = locate(instruction, {.address = static_cast<std::uint8_t>(random() % 9)});
    std::size_t end = 0;
    for (const Located& one : view.operands) {
      ASSERT_GE(one.offset, end);
      end = one.offset + one.length;
      ASSERT_LE(end, operands.size());
    }
    ASSERT_GE(view.padding_offset, end);
    ASSERT_EQ(view.padding_offset + view.padding, operands.size());
    const bool fits = !view.flaw || *view.flaw == OperandFlaw::padding || *view.flaw == OperandFlaw::address;
    if (fits) {
      ASSERT_LE(view.padding, 3u);
    }
    fitting += fits ? 1 : 0;
  }
  EXPECT_GT(fitting, 10'000u);
}

}  // namespace
}  // namespace wirelaw::umsp
