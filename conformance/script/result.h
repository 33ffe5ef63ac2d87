// SPDX-License-Identifier: Apache-2.0
// A value, or why a script has none.
#pragma once

#include <cstddef>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "conformance/script/syntax.h"
#include "reference/network/stream_piece.h"

namespace wirelaw::script {

template <class T>
using Result = tl::expected<T, Problem>;

inline tl::unexpected<Problem> problem(Position at, std::string message, std::string hint = {}) {
  return tl::unexpected(Problem{at, std::move(message), std::move(hint)});
}

// The letter of a side in a line.
constexpr char letter(Side side) {
  return side == Side::a ? 'a' : 'b';
}

// The element of a side in an array of two.
constexpr std::size_t index(Side side) {
  return side == Side::a ? 0 : 1;
}

}  // namespace wirelaw::script
