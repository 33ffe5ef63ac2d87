// SPDX-License-Identifier: Apache-2.0
// A line of a script while it is read: the lexer of parser.cc.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/script/syntax.h"
#include "reference/octets/hex.h"

namespace wirelaw::script {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
inline std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// One line, with those that it continues. It reads from left to right; after the first problem it reads nothing more.
class Line {
 public:
  Line(std::string text, std::vector<Position> places) : text_(std::move(text)), places_(std::move(places)) {}

  std::size_t size() const { return text_.size(); }
  bool ok() const { return !problem_; }
  Problem take_problem() { return std::move(*problem_); }
  void fail(Position at, std::string message, std::string hint = {}) {
    if (!problem_) problem_ = {at, std::move(message), std::move(hint)};
  }
  void fail(std::string message, std::string hint = {}) { fail(here(), std::move(message), std::move(hint)); }

  Position here() const { return places_[std::min(at_, places_.size() - 1)]; }
  bool at_end() {
    skip_space();
    return !ok() || at_ >= text_.size();
  }
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  // Same, without skipping spaces.
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (!ok() || peek() != c) return false;
    ++at_;
    return true;
  }
  bool take_next(char c) {
    if (!ok() || next() != c) return false;
    ++at_;
    return true;
  }
  // Like take_next(), but only if a name follows: the dots of a range do not select a field.
  bool take_next_before_name(char c) { return at_ + 1 < text_.size() && is_letter(text_[at_ + 1]) && take_next(c); }
  void expect(char c, std::string_view where) {
    if (!take(c)) fail(fmt::format("expected '{}' {}, not {}", c, where, shown()));
  }

  // A name of letters, digits and underscores; empty if there is none.
  std::string_view peek_name() {
    skip_space();
    if (!is_letter(next())) return {};
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    return std::string_view(text_).substr(at_, end - at_);
  }
  std::string name(std::string_view what) {
    const std::string found(peek_name());
    if (found.empty()) fail(fmt::format("expected {}, not {}", what, shown()));
    at_ += found.size();
    return found;
  }
  bool take_word(std::string_view word) {
    if (!ok() || peek_name() != word) return false;
    at_ += word.size();
    return true;
  }
  // Everything up to the next space.
  std::string word(std::string_view what) {
    skip_space();
    std::size_t end = at_;
    while (end < text_.size() && !is_space(text_[end])) ++end;
    if (end == at_) fail(fmt::format("expected {}, not {}", what, shown()));
    std::string found = text_.substr(at_, end - at_);
    at_ = end;
    return found;
  }
  std::string string() {
    expect('"', "before a text");
    std::string found;
    while (ok() && next() != '"') {
      if (at_ >= text_.size()) return fail("the text has no closing '\"'"), found;
      found += text_[at_++];
    }
    take_next('"');
    return found;
  }
  std::uint64_t number() {
    skip_space();
    const Position at = here();
    const bool is_hex = next() == '0' && at_ + 1 < text_.size() && (text_[at_ + 1] == 'x' || text_[at_ + 1] == 'X');
    const char* const begin = text_.data() + at_ + (is_hex ? 2 : 0);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value, is_hex ? 16 : 10);
    if (error != std::errc()) return fail(at, fmt::format("expected a number of at most 64 bits, not {}", shown())), 0;
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  OctetBuffer hex_digits() {
    const Position at = here();
    std::size_t end = at_;
    while (end < text_.size() && (is_digit(text_[end]) || is_letter(text_[end]))) ++end;
    auto octets = from_hex(std::string_view(text_).substr(at_, end - at_));
    at_ = end;
    if (!octets) return fail(at, "expected pairs of hexadecimal digits after 'hex:'"), OctetBuffer();
    return std::move(*octets);
  }

  // The text at the current position, quoted for an error message.
  std::string shown() {
    skip_space();
    if (at_ >= text_.size()) return "the end of the line";
    std::size_t end = at_ + 1;
    while (end < text_.size() && !is_space(text_[end]) && end - at_ < 24) ++end;
    return fmt::format("'{}'", std::string_view(text_).substr(at_, end - at_));
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  std::string text_;
  std::vector<Position> places_;  // position of each octet, and of the end
  std::size_t at_ = 0;
  std::optional<Problem> problem_;
};

}  // namespace wirelaw::script
