// SPDX-License-Identifier: Apache-2.0
// A line between the tester and the application of the implementation under test: a word, and values by their names.
//
//   send context=3 data=00ff tag=0x11
//   ok
//   error=fi_tsendmsg: Operation not supported
//
// Numbers are decimal, or hexadecimal after 0x; octets are hexadecimal. `error` is the last value, and extends to the
// end of the line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::control {

class Line {
 public:
  Line() = default;
  explicit Line(std::string_view word) : word_(word) {}
  static Line parse(std::string_view text);
  std::string text() const;

  const std::string& word() const { return word_; }
  // Empty if it is absent or malformed.
  std::optional<std::string_view> value(std::string_view name) const;
  std::optional<std::uint64_t> number(std::string_view name) const;
  std::optional<OctetBuffer> octets(std::string_view name) const;
  bool flag(std::string_view name) const { return number(name).value_or(0) != 0; }

  Line& put(std::string_view name, std::string value);
  Line& put(std::string_view name, std::uint64_t number);
  Line& put(std::string_view name, std::optional<std::uint64_t> number);
  Line& put_octets(std::string_view name, Octets octets);
  // Goes to the end of the line.
  Line& put_error(std::string_view why);

 private:
  std::string word_;
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace wirelaw::control
