// SPDX-License-Identifier: Apache-2.0
// Suggestions for mistyped names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wirelaw {

// Returns the candidate with the fewest insertions, deletions and replacements, if they are few; else nothing. Upper
// and lower case are equal.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'check'?", or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

// The message for the first pattern that matches none of the ids: "--case: no case matches 'akc/*'; did you mean
// 'ack/*'?". Empty if each pattern matches.
std::optional<std::string> unmatched(std::string_view option, std::string_view noun,
                                     const std::vector<std::string>& patterns, const std::vector<std::string>& ids);

}  // namespace wirelaw
