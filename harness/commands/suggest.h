// SPDX-License-Identifier: Apache-2.0
// What somebody who mistyped may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wirelaw {

// The candidate that takes the fewest insertions, deletions and replacements, where these are few; else nothing.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'check'?", or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace wirelaw
