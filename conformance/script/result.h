// SPDX-License-Identifier: Apache-2.0
// A value, or why a script has none.
#pragma once

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

}  // namespace wirelaw::script
