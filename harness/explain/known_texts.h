// SPDX-License-Identifier: Apache-2.0
// Texts of the tree that are embedded in the program (cmake/Embed.cmake), so that it can explain rules without the
// source tree.
#pragma once

#include <span>
#include <string_view>

namespace wirelaw {

struct KnownTexts {
  std::string_view protocol;
  std::string_view interpretations;  // conformance/<protocol>/INTERPRETATIONS.md
  std::string_view traces;           // corpora/<protocol>/EXPECTED.tsv
};
std::span<const KnownTexts> known_texts();

}  // namespace wirelaw
