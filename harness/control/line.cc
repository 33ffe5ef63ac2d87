// SPDX-License-Identifier: Apache-2.0
#include "harness/control/line.h"

#include <algorithm>
#include <charconv>

#include "reference/octets/hex.h"

namespace wirelaw::control {
namespace {

constexpr std::string_view kError = "error";

}  // namespace

Line Line::parse(std::string_view text) {
  Line line;
  for (bool first = true; !text.empty(); first = false) {
    const bool to_the_end = text.starts_with("error=");
    const std::string_view word = to_the_end ? text : text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos)
      line.values_.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    else if (first)
      line.word_ = word;
  }
  return line;
}

std::string Line::text() const {
  std::string text = word_;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!text.empty()) text += ' ';
    text.append(name).append("=").append(value);
  };
  for (const auto& [name, value] : values_)
    if (name != kError) add(name, value);
  if (const auto error = value(kError)) add(kError, *error);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::optional<std::string_view> Line::value(std::string_view name) const {
  const auto found = std::ranges::find(values_, name, &std::pair<std::string, std::string>::first);
  return found == values_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::optional<std::uint64_t> Line::number(std::string_view name) const {
  auto text = value(name).value_or(std::string_view());
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, hex ? 16 : 10);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<OctetBuffer> Line::octets(std::string_view name) const {
  const auto text = value(name);
  return text ? from_hex(*text) : std::nullopt;
}

Line& Line::put(std::string_view name, std::string value) {
  values_.emplace_back(name, std::move(value));
  return *this;
}

Line& Line::put(std::string_view name, std::uint64_t number) {
  return put(name, std::to_string(number));
}

Line& Line::put(std::string_view name, std::optional<std::uint64_t> number) {
  return number ? put(name, *number) : *this;
}

Line& Line::put_octets(std::string_view name, Octets octets) {
  return put(name, to_hex(octets));
}

Line& Line::put_error(std::string_view why) {
  return put(kError, std::string(why));
}

}  // namespace wirelaw::control
