// SPDX-License-Identifier: Apache-2.0
#include "conformance/dialect.h"

#include <algorithm>
#include <cctype>

namespace wirelaw::edits {

const Dialect& dialect_of(const Protocol& carried) {
  static constexpr Dialect kNothing{};
  return carried.dialect == nullptr ? kNothing : *carried.dialect;
}

std::string proven_protocols() {
  std::vector<std::string_view> names;
  for (const Protocol* const one : protocols())
    if (dialect_of(*one).proven) names.push_back(one->name);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::uint64_t number_in(Octets octets, const Dialect& dialect) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(octets.size(), 8); ++i)
    value = value << 8 | octets[dialect.big_endian ? i : octets.size() - 1 - i];
  return value;
}

void put_number(std::uint64_t value, std::span<Octet> octets, const Dialect& dialect) {
  for (std::size_t i = 0; i < octets.size(); ++i, value >>= 8)
    octets[dialect.big_endian ? octets.size() - 1 - i : i] = static_cast<Octet>(value);
}

void take_over(Octets model, OctetBuffer& message, const Dialect& dialect, const Protocol& carried) {
  if (dialect.bound.empty()) return;
  const Decoded from = carried.decode(model), to = carried.decode(message);
  for (const std::string_view name : dialect.bound) {
    const auto source = std::ranges::find(from.fields, name, &Field::name);
    const auto target = std::ranges::find(to.fields, name, &Field::name);
    if (source == from.fields.end() || target == to.fields.end() || source->length != target->length) continue;
    if (source->offset + source->length > model.size() || target->offset + target->length > message.size()) continue;
    std::ranges::copy(model.subspan(source->offset, source->length),
                      message.begin() + static_cast<std::ptrdiff_t>(target->offset));
  }
}

// Leaves out numbers: each digit, and the hexadecimal digits or the x that follow it.
std::string kind_of(std::string_view summary) {
  constexpr std::size_t kMost = 96;
  std::string kind;
  bool in_number = false;
  for (const char c : summary) {
    const auto octet = static_cast<unsigned char>(c);
    in_number = std::isdigit(octet) != 0 || (in_number && std::isxdigit(octet) != 0) || (in_number && c == 'x');
    if (!in_number && kind.size() < kMost) kind += c;
  }
  return kind;
}

}  // namespace wirelaw::edits
