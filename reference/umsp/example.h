// SPDX-License-Identifier: Apache-2.0
// Instructions generated from the table of layout.h alone: examples for tests, seeds and dictionaries.
#pragma once

#include <vector>

#include "reference/octets/octets.h"
#include "reference/umsp/layout.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {

// Example operands in one form, each with a different value, and their places. Local operands have the length in
// `lengths`, or if that is 0 the first length of their row. Data has a few octets.
struct ExampleOperands {
  OctetBuffer octets;  // padded to words
  std::vector<Located> places;
};
ExampleOperands example_operands(FormRow form, const Lengths& lengths = {});

enum class ExampleShape : std::uint8_t {
  bare,  // the fewest fields that the row allows, in the first form
  full,  // the most: chain, session and request, with extension headers, all in their extended forms; the last form
};
// An instruction of this row.
OctetBuffer example_instruction(const Layout& layout, ExampleShape shape);
// A NOP with this extension header, in a chain.
OctetBuffer example_extension(const ExtensionLayout& layout);

}  // namespace wirelaw::umsp
