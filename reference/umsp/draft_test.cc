// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/draft.h"

#include <gtest/gtest.h>

#include "reference/umsp/example.h"
#include "reference/umsp/layout.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

Instruction read(const OctetBuffer& octets) {
  const auto instruction = decode(octets);
  EXPECT_TRUE(instruction);
  EXPECT_EQ(instruction->octets(), octets.size());
  return *instruction;
}

TEST(Draft, HasTheFieldsThatItNames) {
  Draft draft = draft_of(Opcode::write_4, {0, 0, 0x10, 0, 1, 2, 3});
  draft.session_id = 7;
  draft.req_id = 9;
  draft.chain = ChainPlace{5, 6};
  draft.extensions.push_back({HeadCode::msg, {'h', 'i', '!'}});
  const OctetBuffer octets = write(draft);
  const Instruction read_back = read(octets);
  EXPECT_EQ(read_back.header.pck, Pck::own_session);
  EXPECT_EQ(read_back.header.session_id, 7u);
  EXPECT_EQ(read_back.header.req_id, 9u);
  EXPECT_EQ(read_back.header.chain_number, 5u);
  EXPECT_EQ(read_back.header.instr_number, 6u);
  ASSERT_EQ(read_back.extensions.size(), 1u);
  EXPECT_FALSE(read_back.extensions[0].hob);
  EXPECT_EQ(read_back.extensions[0].data.size(), 4u);
  EXPECT_EQ(read_back.operands.size(), 8u);
}

TEST(Draft, InheritsWhereItMay) {
  Context context;
  OctetBuffer out;
  Draft draft = draft_of(Opcode::nop);
  draft.style.inherits = true;
  draft.session_id = 3;
  draft.chain = ChainPlace{1, 0};
  const auto pck_of_next = [&] {
    out.clear();
    write(draft, context, out);
    return read(out).header.pck;
  };
  EXPECT_EQ(pck_of_next(), Pck::own_session);
  draft.chain->instr_number = 1;
  EXPECT_EQ(pck_of_next(), Pck::same_chain);
  draft.chain->instr_number = 7;
  EXPECT_EQ(pck_of_next(), Pck::same_session);
  draft.session_id = 4;
  EXPECT_EQ(pck_of_next(), Pck::own_session);
}

TEST(Draft, IsWrittenAsItWasRead) {
  for (const Layout& layout : all_layouts()) {
    const OctetBuffer octets = example_instruction(layout, ExampleShape::bare);
    const Instruction instruction = read(octets);
    if (instruction.header.pck == Pck::same_session || instruction.header.pck == Pck::same_chain) continue;
    const Membership membership = resolve(instruction.header, {});
    EXPECT_EQ(write(draft_of(instruction, membership)), octets) << layout.name;
  }
}

TEST(Draft, PadsToBordersOfFourOctets) {
  Draft draft = draft_of(Opcode::nop);
  draft.extensions = {{HeadCode::msg, {'a'}}, {HeadCode::name, {'b', 'c'}}};
  draft.style.quadruple = true;
  const OctetBuffer octets = write(draft);
  const Instruction instruction = read(octets);
  EXPECT_TRUE(instruction.header.extended);
  EXPECT_EQ(instruction.offset_of_extension(1) % 4, 0u);
  EXPECT_EQ(instruction.offset_of_operands() % 4, 0u);
}

}  // namespace
}  // namespace wirelaw::umsp
