// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/duration.h"

#include <fmt/format.h>

#include <charconv>

namespace wirelaw {

std::optional<std::chrono::nanoseconds> duration_of(std::string_view text) {
  constexpr std::int64_t kCentury = 100ll * 366 * 24 * 3600;
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number <= 0) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(rest - text.data()));
  std::int64_t seconds = 0;
  for (const auto& [word, factor] :
       {std::pair<std::string_view, std::int64_t>{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86'400}})
    if (unit == word) seconds = factor;
  if (seconds == 0 || number > kCentury / seconds) return std::nullopt;
  return std::chrono::seconds{number * seconds};
}

std::string to_text(std::chrono::seconds duration) {
  const auto all = duration.count();
  if (all < 60) return fmt::format("{}s", all);
  if (all < 3600) return fmt::format("{}m {:02}s", all / 60, all % 60);
  return fmt::format("{}h {:02}m {:02}s", all / 3600, all / 60 % 60, all % 60);
}

}  // namespace wirelaw
