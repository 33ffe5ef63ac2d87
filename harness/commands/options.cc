// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/commands/suggest.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

template <class Value>
CLI::Option* add(CLI::App& app, std::string name, Value& value, std::string description) {
  return app.add_option(std::move(name), value, std::move(description));
}

}  // namespace

CLI::Option* add_option(CLI::App& app, std::string name, std::string& value, std::string description) {
  return add(app, std::move(name), value, std::move(description));
}
CLI::Option* add_option(CLI::App& app, std::string name, std::vector<std::string>& values, std::string description) {
  return add(app, std::move(name), values, std::move(description));
}
CLI::Option* add_option(CLI::App& app, std::string name, double& value, std::string description) {
  return add(app, std::move(name), value, std::move(description));
}
CLI::Option* add_option(CLI::App& app, std::string name, std::optional<double>& value, std::string description) {
  return add(app, std::move(name), value, std::move(description));
}
CLI::Option* add_option(CLI::App& app, std::string name, unsigned& value, std::string description) {
  return add(app, std::move(name), value, std::move(description));
}
CLI::Option* add_option(CLI::App& app, std::string name, std::uint64_t& value, std::string description) {
  return add(app, std::move(name), value, std::move(description));
}
CLI::Option* add_option(CLI::App& app, std::string name, std::optional<std::uint64_t>& value, std::string description) {
  return add(app, std::move(name), value, std::move(description));
}
CLI::Option* add_flag(CLI::App& app, std::string name, bool& value, std::string description) {
  return app.add_flag(std::move(name), value, std::move(description));
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto check = [words](std::string& word) {
    if (std::ranges::find(words, word) != words.end()) return std::string();
    return fmt::format("'{}' is not one of {}{}", printable(word), fmt::join(words, ", "), suggestion(word, words));
  };
  return CLI::Validator(check, "");
}

CLI::Validator positive_seconds() {
  return CLI::Range(0.001, 1e6).description("");
}

}  // namespace wirelaw
