// SPDX-License-Identifier: Apache-2.0
#include "reference/octets/hex.h"

#include <algorithm>

namespace wirelaw {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kOctetsPerLine = 16;

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

void append_octet(std::string& out, Octet octet) {
  out += kDigits[octet >> 4];
  out += kDigits[octet & 0xf];
}

}  // namespace

std::string to_hex(Octets octets) {
  std::string out;
  out.reserve(octets.size() * 2);
  for (const Octet octet : octets) append_octet(out, octet);
  return out;
}

std::optional<OctetBuffer> from_hex(std::string_view text) {
  OctetBuffer out;
  int high = -1;
  for (const char c : text) {
    if (is_space(c)) continue;
    const int value = digit_value(c);
    if (value < 0) return std::nullopt;
    if (high < 0) {
      high = value;
    } else {
      out.push_back(static_cast<Octet>(high << 4 | value));
      high = -1;
    }
  }
  if (high >= 0) return std::nullopt;
  return out;
}

std::string hex_dump(Octets octets) {
  std::string out;
  for (std::size_t line = 0; line < octets.size(); line += kOctetsPerLine) {
    for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[(line >> shift) & 0xf];
    out += "  ";
    const Octets part = octets.subspan(line, std::min(kOctetsPerLine, octets.size() - line));
    for (std::size_t i = 0; i < kOctetsPerLine; ++i) {
      if (i < part.size()) {
        append_octet(out, part[i]);
        out += ' ';
      } else {
        out += "   ";
      }
    }
    out += ' ';
    for (const Octet octet : part) out += octet >= 0x20 && octet < 0x7f ? static_cast<char>(octet) : '.';
    out += '\n';
  }
  return out;
}

}  // namespace wirelaw
