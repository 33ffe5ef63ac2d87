// SPDX-License-Identifier: Apache-2.0
// Durations as people write them: 90, 90s, 10m, 2h, 1d.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace wirelaw {

// Nothing where the text is none, or is zero, or is longer than a century.
std::optional<std::chrono::nanoseconds> duration_of(std::string_view text);
std::string to_text(std::chrono::seconds duration);  // "1h 02m 03s"

}  // namespace wirelaw
