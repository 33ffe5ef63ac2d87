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

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string reason_of(const CLI::ParseError& error) {
  std::string text = error.what();
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string wrong_use(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining();
  if (unknown.empty() || dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return reason_of(error);
  const std::string word = unknown.front().substr(0, unknown.front().find('='));
  if (!word.starts_with('-')) return fmt::format("unknown argument '{}'", printable(word));
  return fmt::format("unknown option '{}'{}", printable(word), suggestion(word, option_names(app)));
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
