// SPDX-License-Identifier: Apache-2.0
// Fields of a message as text: values in Wireshark's format, followed by a word in brackets if there is one.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "conformance/protocol.h"
#include "reference/octets/hex.h"
#include "reference/octets/octets.h"

namespace wirelaw {

class FieldList {
 public:
  explicit FieldList(Octets octets) : octets_(octets) {}

  void number(std::string_view name, std::uint64_t value, std::size_t offset, std::size_t length,
              std::string_view word = {}) {
    put(name, fmt::format("{}", value), offset, length, word);
  }
  // A single bit.
  void flag(std::string_view name, bool value, std::size_t offset) { number(name, value, offset, 1); }
  void hex(std::string_view name, std::uint64_t value, std::size_t offset, std::size_t length,
           std::string_view word = {}) {
    put(name, fmt::format("0x{:0{}x}", value, length * 2), offset, length, word);
  }
  // Raw octets, cut to those that exist.
  void bytes(std::string_view name, std::size_t offset, std::size_t length) {
    if (offset >= octets_.size()) return;
    const Octets there = octets_.subspan(offset, std::min(length, octets_.size() - offset));
    constexpr std::size_t kShown = 32;
    const bool all = there.size() <= kShown;
    put(name, to_hex(all ? there : there.first(kShown)) + (all ? "" : "…"), offset, there.size());
  }
  void put(std::string_view name, std::string value, std::size_t offset, std::size_t length,
           std::string_view word = {}) {
    if (!word.empty()) value += fmt::format(" ({})", word);
    fields_.push_back({std::string(name), std::move(value), offset, length});
  }

  Octets octets() const { return octets_; }
  std::vector<Field> take() { return std::move(fields_); }

 private:
  Octets octets_;
  std::vector<Field> fields_;
};

}  // namespace wirelaw
