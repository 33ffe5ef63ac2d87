// SPDX-License-Identifier: Apache-2.0
// Text to script. Any text gives a script or a problem with its place; memory is bounded by kMostOctets.
#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "conformance/script/syntax.h"

namespace wirelaw::script {

inline constexpr std::size_t kMostOctets = 16u << 20;  // in a file
inline constexpr std::size_t kMostDepth = 16;          // calls and loops that may be nested

tl::expected<Script, Problem> parse(std::string_view text);

}  // namespace wirelaw::script
