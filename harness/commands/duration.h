// SPDX-License-Identifier: Apache-2.0
// Durations as people write them: 90, 90s, 10m, 2h, 1d.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace wirelaw {

// Empty if the text is no duration, or is zero, or longer than a century.
std::optional<std::chrono::nanoseconds> duration_of(std::string_view text);
std::string to_text(std::chrono::seconds duration);  // "1h 02m 03s"

}  // namespace wirelaw
