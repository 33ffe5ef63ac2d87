// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace wirelaw::script {
namespace {

bool is_inside(std::size_t size, const Located& field) {
  return field.offset <= size && field.length <= size - field.offset;
}

std::uint64_t mask(unsigned bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

// Octet i of the field, counted from its lowest.
std::size_t place(const Located& field, std::size_t i, bool big_endian) {
  return field.offset + (big_endian ? field.length - 1 - i : i);
}

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Insertions, deletions and replacements between two names.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t before = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = before + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      before = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::uint64_t> get(Octets message, const Located& field, bool big_endian) {
  if (field.bits == 0 || !is_inside(message.size(), field)) return std::nullopt;
  big_endian &= !field.is_little_endian;
  std::uint64_t value = 0;
  for (std::size_t i = field.length; i-- > 0;) value = value << 8 | message[place(field, i, big_endian)];
  return value >> field.shift & mask(field.bits);
}

void add_fields(std::span<const FieldRow> rows, std::size_t at, Octets message, std::vector<Located>& fields) {
  for (const FieldRow& row : rows)
    if (at + row.offset + row.length <= message.size())
      fields.push_back({.name = std::string(row.name),
                        .offset = at + row.offset,
                        .length = row.length,
                        .shift = row.shift,
                        .bits = row.bits,
                        .kind = row.kind,
                        .is_hex = row.is_hex,
                        .id = row.id,
                        .of_id = std::string(row.of_id)});
}

void set(OctetBuffer& message, const Located& field, std::uint64_t value, bool big_endian) {
  if (field.bits == 0 || !is_inside(message.size(), field)) return;
  big_endian &= !field.is_little_endian;
  const std::uint64_t of_field = mask(field.bits) << field.shift;
  for (std::size_t i = 0; i < field.length; ++i) {
    Octet& octet = message[place(field, i, big_endian)];
    const auto keep = static_cast<Octet>(~(of_field >> 8 * i));
    octet = static_cast<Octet>((octet & keep) | ((value << field.shift >> 8 * i) & static_cast<Octet>(~keep)));
  }
}

const MessageRow* find_message(const Language& language, std::string_view name) {
  const std::span<const MessageRow> messages = language.messages();
  const auto found = std::ranges::find_if(
      messages, [&](const MessageRow& row) { return std::ranges::equal(row.name, name, {}, lower, lower); });
  return found == messages.end() ? nullptr : &*found;
}

Addresses sample_addresses() {
  return {OwnAddress{*parse_endpoint("192.0.2.1:31200")}, OwnAddress{*parse_endpoint("192.0.2.2:21200")}};
}

OctetBuffer pattern(std::size_t n) {
  OctetBuffer octets(n);
  std::iota(octets.begin(), octets.end(), Octet{0});
  return octets;
}

std::string nearest(std::string_view name, const std::vector<std::string_view>& names) {
  constexpr std::size_t kLongest = 64;
  if (name.size() > kLongest) return {};
  const std::string_view* best = nullptr;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string_view& one : names) {
    const std::size_t far = one.starts_with(name) ? 1 : distance(name, one);
    if (far >= least) continue;
    least = far;
    best = &one;
  }
  return best == nullptr ? std::string() : fmt::format("did you mean '{}'?", *best);
}

}  // namespace wirelaw::script
