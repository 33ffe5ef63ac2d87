// SPDX-License-Identifier: Apache-2.0
// Every row of the table is encoded by one reader of the table, and decoded by the other.
#include "reference/umsp/example.h"

#include <gtest/gtest.h>

#include "reference/umsp/instruction.h"

namespace wirelaw::umsp {
namespace {

void expect_places(const ExampleOperands& example, const OperandView& view, std::string_view what) {
  ASSERT_FALSE(view.flaw) << what << ": " << explain(*view.flaw);
  ASSERT_EQ(view.operands.size(), example.places.size()) << what;
  for (std::size_t i = 0; i < example.places.size(); ++i) {
    EXPECT_EQ(view.operands[i].row->operand, example.places[i].row->operand) << what;
    EXPECT_EQ(view.operands[i].offset, example.places[i].offset) << what;
    EXPECT_EQ(view.operands[i].length, example.places[i].length) << what;
  }
}

TEST(Example, OfEveryFormIsLocatedWhereItWasMade) {
  for (const Layout& layout : all_layouts())
    for (const FormRow& form : layout.forms)
      for (const std::uint8_t length : std::initializer_list<std::uint8_t>{0, 2, 4, 8}) {
        const Lengths lengths{.address = length, .ctid = length, .ltid = length};
        const ExampleOperands example = example_operands(form, lengths);
        expect_places(example, locate(layout, example.octets, lengths), layout.name);
      }
}

TEST(Example, WithCompleteAddressesIsLocatedWhereItWasMade) {
  for (const Layout& layout : all_layouts()) {
    const Lengths made_with{.address = 16};
    const ExampleOperands example = example_operands(layout.forms.back(), made_with);
    expect_places(example, locate(layout, example.octets, {.address = 4}), layout.name);
  }
}

TEST(Example, IsDecodedAndEncodedAsItWas) {
  for (const Layout& layout : all_layouts())
    for (const ExampleShape shape : {ExampleShape::bare, ExampleShape::full}) {
      const OctetBuffer octets = example_instruction(layout, shape);
      const auto instruction = decode(octets);
      ASSERT_TRUE(instruction) << layout.name;
      EXPECT_EQ(instruction->octets(), octets.size());
      EXPECT_EQ(encode(*instruction), octets);
      EXPECT_EQ(layout_of(*instruction), &layout) << layout.name << ' ' << layout.variant;
      EXPECT_FALSE(locate(*instruction).flaw) << layout.name;
    }
}

// The header has only what the table of the instruction prints.
TEST(Example, KeepsToTheTable) {
  for (const Layout& layout : all_layouts())
    for (const ExampleShape shape : {ExampleShape::bare, ExampleShape::full}) {
      const OctetBuffer octets = example_instruction(layout, shape);
      const Header header = *decode_header(octets);
      EXPECT_TRUE(layout.allows_ask(header.ask) && layout.allows_pck(header.pck) && layout.allows_chn(header.chn) &&
                  layout.allows_ext(header.ext))
          << layout.name;
      EXPECT_TRUE(layout.length.contains(header.opr_length)) << layout.name << ' ' << header.opr_length;
    }
}

TEST(Example, OfEveryExtensionHeaderIsLocated) {
  for (const ExtensionLayout& layout : all_extensions()) {
    const OctetBuffer octets = example_extension(layout);
    const auto instruction = decode(octets);
    ASSERT_TRUE(instruction) << layout.name;
    ASSERT_EQ(instruction->extensions.size(), 1u);
    const ExtensionHeader& header = instruction->extensions[0];
    EXPECT_EQ(header.head_code, layout.code());
    EXPECT_EQ(header.hob, layout.hob) << layout.name;
    EXPECT_TRUE(layout.length.contains(header.head_length)) << layout.name << ' ' << header.head_length;
    EXPECT_FALSE(locate(header).flaw) << layout.name;
  }
}

}  // namespace
}  // namespace wirelaw::umsp
