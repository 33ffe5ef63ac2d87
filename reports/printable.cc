// SPDX-License-Identifier: Apache-2.0
#include "reports/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace wirelaw {
namespace {

struct Character {
  char32_t value = 0;
  std::size_t octets = 0;  // 0 if the sequence is malformed
};

// The UTF-8 character at the head of `text` (RFC 3629), which is not empty.
Character first_character(std::string_view text) {
  const auto octet = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = octet(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 && lead < 0xf5   ? 4
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                                                           : 0;
  if (length == 0 || text.size() < length) return {};
  char32_t value = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((octet(i) & 0xc0) != 0x80) return {};
    value = value << 6 | (octet(i) & 0x3fu);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xd800 && value < 0xe000;
  return overlong || surrogate || value > 0x10ffff ? Character{} : Character{value, length};
}

bool is_printable(char32_t value) {
  const bool control = value < 0x20 || (value >= 0x7f && value < 0xa0);
  const bool separator = value == 0x2028 || value == 0x2029;
  const bool direction = (value >= 0x202a && value <= 0x202e) || (value >= 0x2066 && value <= 0x2069);
  const bool no_character = (value & 0xfffe) == 0xfffe;
  return !control && !separator && !direction && !no_character;
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t length = std::max<std::size_t>(character.octets, 1);
    if (character.octets > 0 && is_printable(character.value)) {
      out += text.substr(0, length);
    } else if (text[0] == '\n' || text[0] == '\t') {
      out += text[0] == '\n' ? "\\n" : "\\t";
    } else {
      for (const char c : text.substr(0, length))
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    const std::size_t wide = columns(word);
    if (column > indent && width > 0 && column + 1 + wide > width) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += wide;
  }
  return out;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace wirelaw
