// SPDX-License-Identifier: Apache-2.0
// Parses a script. Any text gives a script or a problem with its place; kMostOctets limits the memory.
#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "conformance/script/syntax.h"

namespace wirelaw::script {

inline constexpr std::size_t kMostOctets = 16u << 20;  // limit for one file
inline constexpr std::size_t kMostDepth = 16;          // nesting of calls and loops
inline constexpr std::size_t kMostShared = 4u << 20;   // octets of openings, counted for each case that begins so

tl::expected<Script, Problem> parse(std::string_view text);

}  // namespace wirelaw::script
