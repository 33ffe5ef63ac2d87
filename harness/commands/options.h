// SPDX-License-Identifier: Apache-2.0
// Options of the command line. CLI11 instantiates a template for each type of option, which takes a compiler seconds.
// They are instantiated once, here.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wirelaw {

CLI::Option* add_option(CLI::App& app, std::string name, std::string& value, std::string description);
CLI::Option* add_option(CLI::App& app, std::string name, std::vector<std::string>& values, std::string description);
CLI::Option* add_option(CLI::App& app, std::string name, double& value, std::string description);
CLI::Option* add_option(CLI::App& app, std::string name, std::optional<double>& value, std::string description);
CLI::Option* add_option(CLI::App& app, std::string name, unsigned& value, std::string description);
CLI::Option* add_option(CLI::App& app, std::string name, std::uint64_t& value, std::string description);
CLI::Option* add_option(CLI::App& app, std::string name, std::optional<std::uint64_t>& value, std::string description);
CLI::Option* add_flag(CLI::App& app, std::string name, bool& value, std::string description);

// The names of the options: "--format".
std::vector<std::string> option_names(const CLI::App& app);
// What is wrong with a command line, in one line.
std::string reason_of(const CLI::ParseError& error);
// The same for words that `app` has parsed alone, with the option that was probably meant.
std::string wrong_use(const CLI::App& app, const CLI::ParseError& error);

CLI::Validator one_of(const std::vector<std::string>& words);
CLI::Validator positive_seconds();

}  // namespace wirelaw
