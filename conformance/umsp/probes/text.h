// SPDX-License-Identifier: Apache-2.0
// Numbers in the parameters of a URI.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wirelaw::umsp {

// A decimal number, or a hexadecimal one after 0x; none if the text is neither.
inline std::optional<std::uint64_t> parse_number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace wirelaw::umsp
