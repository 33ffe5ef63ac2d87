// SPDX-License-Identifier: Apache-2.0
// Colours for the terminal, if they are wanted.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "conformance/verdict.h"

namespace wirelaw {

// Codes of ECMA-48, Select Graphic Rendition.
enum class Colour : int { none = 0, bold = 1, dim = 2, red = 31, green = 32, yellow = 33 };

struct Paint {
  bool on = false;

  std::string operator()(Colour colour, std::string_view text) const {
    if (!on || colour == Colour::none) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", static_cast<int>(colour), text);
  }
};

constexpr Colour colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return Colour::green;
    case Verdict::fail:
      return Colour::red;
    case Verdict::warned:
    case Verdict::inconclusive:
      return Colour::yellow;
    default:
      return Colour::none;
  }
}

}  // namespace wirelaw
