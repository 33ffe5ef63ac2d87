// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

TEST(Layout, HasARowForEveryCodeThatTheDocumentAssigns) {
  for (unsigned code = 0; code < 256; ++code) {
    const bool management = code >= 1 && code <= 26;
    const bool memory = code >= 129 && code <= 159 && code != 157;
    const bool objects = code >= 192 && code <= 213;
    const Layout* layout = find_layout(static_cast<std::uint8_t>(code));
    ASSERT_EQ(layout != nullptr, management || memory || objects) << code;
    if (layout == nullptr) continue;
    EXPECT_EQ(layout->code(), code);
    EXPECT_NE(layout->opcode_class(), OpcodeClass::reserved) << code;
  }
}

TEST(Layout, PutsCodesIntoTheirClasses) {
  const auto is = [](unsigned code, OpcodeClass wanted) { return class_of(static_cast<std::uint8_t>(code)) == wanted; };
  for (const unsigned code : {0u, 113u, 127u, 224u, 240u, 255u}) EXPECT_TRUE(is(code, OpcodeClass::reserved)) << code;
  for (const unsigned code : {1u, 112u}) EXPECT_TRUE(is(code, OpcodeClass::management)) << code;
  for (const unsigned code : {128u, 223u}) EXPECT_TRUE(is(code, OpcodeClass::exchange)) << code;
}

// Lengths of the shortest and the longest operands of a form.
struct Sizes {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
};
Sizes sizes_of(const OperandRow& row) {
  switch (row.width) {
    case Width::fixed:
      return {row.octets, row.octets};
    case Width::local:
      return {*std::ranges::min_element(row.lengths), *std::ranges::max_element(row.lengths)};
    case Width::identifier:
      return {4, 16};
    default:
      return {0, 262'140};
  }
}
Sizes sizes_of(const Layout& layout) {
  Sizes all{262'140, 0};
  for (const FormRow& form : layout.forms) {
    EXPECT_LE(form.size(), LocatedList::kMost) << layout.name;
    Sizes sum;
    for (const OperandRow& row : form) {
      sum.least += sizes_of(row).least;
      sum.most = std::min(262'140u, sum.most + sizes_of(row).most);
    }
    all = {std::min(all.least, sum.least), std::max(all.most, sum.most)};
  }
  return all;
}

// OPR_LENGTH is printed separately from the operands: they agree, except for data that the document requires.
TEST(Layout, HasLengthsThatAgreeWithItsOperands) {
  for (const Layout& layout : all_layouts()) {
    const Sizes sizes = sizes_of(layout);
    EXPECT_LE((sizes.least + 3) / 4, layout.length.least) << layout.name << ' ' << layout.variant;
    EXPECT_GE((sizes.most + 3) / 4, layout.length.most) << layout.name << ' ' << layout.variant;
    EXPECT_LE(layout.length.least, layout.length.most) << layout.name;
    EXPECT_FALSE(layout.forms.empty()) << layout.name;
    if (sizes.most < 262'140) {
      EXPECT_EQ((sizes.least + 3) / 4, layout.length.least) << layout.name;
      EXPECT_EQ((sizes.most + 3) / 4, layout.length.most) << layout.name;
    }
  }
}

TEST(Layout, NamesCodesApart) {
  std::set<std::pair<std::string_view, std::string_view>> names;
  for (const Layout& layout : all_layouts()) {
    EXPECT_TRUE(names.emplace(layout.name, layout.variant).second) << layout.name;
    EXPECT_FALSE(layout.section.empty()) << layout.name;
  }
}

// Responses have REQ_ID, except those whose tables differ (5.3.3, 5.7.3, 5.7.4).
TEST(Layout, GivesResponsesTheirRequest) {
  for (const Layout& layout : all_layouts()) {
    if (!layout.response) continue;
    const bool without = layout.opcode == Opcode::session_reject || layout.opcode == Opcode::task_state ||
                         layout.opcode == Opcode::node_reload;
    EXPECT_EQ(layout.ask, without ? values::kZero : values::kOne) << layout.name;
  }
}

TEST(Layout, AllowsWhatTheTablesPrint) {
  const Layout& cancel = describe(Opcode::snd_cancel);
  EXPECT_TRUE(cancel.allows_pck(Pck::same_chain) && !cancel.allows_pck(Pck::no_session));
  EXPECT_TRUE(cancel.allows_chn(true) && !cancel.allows_chn(false));
  EXPECT_TRUE(cancel.allows_ask(false) && !cancel.allows_ask(true));
  const Layout& request = describe(Opcode::state_req);
  EXPECT_TRUE(request.allows_ext(false) && !request.allows_ext(true));
  EXPECT_TRUE(describe(Opcode::create).lists(HeadCode::name));
  EXPECT_FALSE(describe(Opcode::cmp_4).lists(HeadCode::data));
}

// The operand before a counted operand is its count.
TEST(Layout, PutsACountInFrontOfWhatItCounts) {
  for (const Layout& layout : all_layouts())
    for (const FormRow& form : layout.forms)
      for (std::size_t i = 0; i < form.size(); ++i) {
        if (form[i].width != Width::counted && form[i].width != Width::words) continue;
        ASSERT_GT(i, 0u) << layout.name;
        const Operand count = form[i - 1].operand;
        EXPECT_TRUE(count == Operand::data_length || count == Operand::parameters_length) << layout.name;
      }
}

TEST(ExtensionLayout, HasARowForEachOfItsCodes) {
  for (unsigned code = 0; code < 40; ++code)
    EXPECT_EQ(find_extension(static_cast<std::uint16_t>(code)) != nullptr, code >= 2 && code <= 12) << code;
  for (const ExtensionLayout& layout : all_extensions()) {
    EXPECT_TRUE(layout.name.starts_with('_'));
    EXPECT_EQ(&describe(layout.head_code), &layout);
  }
}

TEST(Operands, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const OperandInfo& info : all_operands()) EXPECT_TRUE(names.insert(info.name).second) << info.name;
  EXPECT_EQ(names.size(), kOperands);
}

// Bits follow each other from the first to the last of the operand.
TEST(Operands, HaveBitsThatLeaveNoHole) {
  for (const OperandInfo& info : all_operands()) {
    unsigned next = 0;
    for (const BitRow& bit : info.bits) {
      EXPECT_EQ(bit.first, next) << info.name << ' ' << bit.name;
      next += bit.width;
    }
    EXPECT_EQ(next % 8, 0u) << info.name;
  }
}

}  // namespace
}  // namespace wirelaw::umsp
