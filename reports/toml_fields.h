// SPDX-License-Identifier: Apache-2.0
// Reads TOML files from users. Nothing throws. A key that the program does not ask for is an error, and each error
// names its place. Needs the target wirelaw_toml.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reports/printable.h"

namespace wirelaw {

// The error is one line: "FILE: line 3: …".
inline tl::expected<toml::table, std::string> parse_toml(const std::string& name, std::string_view text) {
  constexpr std::size_t kMost = 1u << 20;
  if (text.size() > kMost) return tl::make_unexpected(fmt::format("{}: has more than 1 MiB", printable(name)));
  toml::parse_result parsed = toml::parse(text);
  if (!parsed)
    return tl::make_unexpected(fmt::format("{}: line {}: is not TOML: {}", printable(name),
                                           parsed.error().source().begin.line,
                                           printable(parsed.error().description())));
  return std::move(parsed).table();
}

// One table, key by key. The first error is kept; after it, every request returns an empty value.
class TomlFields {
 public:
  // `error` is shared by several tables. `what` is the name of the table: "[limits]".
  TomlFields(const std::string& file, const toml::table& table, std::string what, std::string& error)
      : file_(file), table_(table), what_(std::move(what)), error_(error) {}

  std::size_t line() const { return table_.source().begin.line; }
  std::size_t line_of(std::string_view key) const {
    const toml::node* const node = table_.get(key);
    return node == nullptr ? line() : node->source().begin.line;
  }
  bool has(std::string_view key) const { return table_.contains(key); }

  std::string text(std::string_view key) { return take<std::string>(key, "a string").value_or(""); }
  std::string needed_text(std::string_view key) {
    std::string value = text(key);
    if (value.empty()) fail(line_of(key), fmt::format("{} needs {} = \"…\"", what_, key));
    return value;
  }
  std::optional<bool> flag(std::string_view key) { return take<bool>(key, "true or false"); }
  std::optional<toml::date> date(std::string_view key) {
    return take<toml::date>(key, "a date, as 2027-01-31 without quotes");
  }
  std::optional<double> number(std::string_view key) {
    if (const toml::node* const node = table_.get(key); node != nullptr && node->is_integer())
      return static_cast<double>(*take<std::int64_t>(key, "a number"));
    return take<double>(key, "a number");
  }
  // A string, or a whole number of 0 or more.
  std::string value(std::string_view key) {
    const toml::node* const node = table_.get(key);
    if (node == nullptr || !node->is_integer())
      return take<std::string>(key, "a string or a whole number").value_or("");
    const std::int64_t number = *take<std::int64_t>(key, "a whole number");
    if (number < 0) fail(line_of(key), fmt::format("{} {} is negative", what_, key));
    return fmt::format("{}", number);
  }
  std::vector<std::string> texts(std::string_view key) {
    asked_.push_back(key);
    std::vector<std::string> values;
    const toml::node* const node = table_.get(key);
    if (node == nullptr) return values;
    const toml::array* const list = node->as_array();
    if (list == nullptr) fail(line_of(key), fmt::format("{} {} is not a list of strings", what_, key));
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const auto text = (*list)[i].value_exact<std::string>();
      if (!text) fail(line_of(key), fmt::format("{} {} is not a list of strings", what_, key));
      values.push_back(text.value_or(""));
    }
    return values;
  }
  const toml::table* table(std::string_view key) {
    asked_.push_back(key);
    const toml::node* const node = table_.get(key);
    if (node != nullptr && !node->is_table()) fail(line_of(key), fmt::format("{} is not a table [{}]", key, key));
    return node == nullptr ? nullptr : node->as_table();
  }
  const toml::array* tables(std::string_view key) {
    asked_.push_back(key);
    const toml::node* const node = table_.get(key);
    const toml::array* const list = node == nullptr ? nullptr : node->as_array();
    if (node != nullptr && (list == nullptr || !list->is_homogeneous(toml::node_type::table)))
      fail(line_of(key), fmt::format("{} is not a list of tables [[{}]]", key, key));
    return list;
  }

  // A key that was not requested is an error: a misspelt key must not silently drop a claim.
  void close() {
    for (const auto& [key, node] : table_)
      if (std::ranges::find(asked_, key.str()) == asked_.end())
        fail(node.source().begin.line,
             fmt::format("{} has no '{}'; known: {}", what_, printable(key.str()), fmt::join(asked_, ", ")));
  }
  void fail(std::size_t line, std::string_view why) {
    if (error_.empty()) error_ = fmt::format("{}: line {}: {}", printable(file_), line, why);
  }

 private:
  template <class Value>
  std::optional<Value> take(std::string_view key, std::string_view kind) {
    asked_.push_back(key);
    const toml::node* const node = table_.get(key);
    if (node == nullptr) return std::nullopt;
    const std::optional<Value> value = node->value_exact<Value>();
    if (!value) fail(line_of(key), fmt::format("{} {} is not {}", what_, key, kind));
    return value;
  }

  const std::string& file_;
  const toml::table& table_;
  std::string what_;
  std::string& error_;
  std::vector<std::string_view> asked_;
};

}  // namespace wirelaw
