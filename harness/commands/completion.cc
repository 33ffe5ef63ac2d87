// SPDX-License-Identifier: Apache-2.0
// wirelaw completion: scripts for shells, made from the options themselves so that they cannot fall behind them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "reports/output.h"

namespace wirelaw {
namespace {

struct Choice {
  std::string name;   // "--format", without dashes for fish
  std::string words;  // blank separated; empty where anything goes
  std::string description;
  bool takes_value = false;
  bool is_file = false;
};

std::vector<Choice> options_of(const CLI::App& app) {
  std::vector<Choice> choices;
  for (const CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    const bool takes_value = option->get_items_expected_max() > 0;
    // Words to choose from are small letters; a name for a value is capital: "text|json", "FILE".
    const bool has_words =
        takes_value && !type.empty() && std::ranges::none_of(type, [](char c) { return c >= 'A' && c <= 'Z'; });
    std::string words = has_words ? type : std::string();
    std::ranges::replace(words, '|', ' ');
    for (const std::string& name : option->get_lnames())
      choices.push_back({name, words, option->get_description(), takes_value, type == "FILE"});
  }
  return choices;
}

std::vector<const CLI::App*> commands_of(const CLI::App& root) {
  return root.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
}

std::string names_of(const std::vector<Choice>& choices) {
  std::string names;
  for (const Choice& one : choices) names += " --" + one.name;
  return names;
}

std::string quoted(std::string text) {  // for single quotes
  std::erase(text, '\'');
  return text;
}

void write_bash(const CLI::App& root, Output& out) {
  out.put(
      "# bash completion for wirelaw\n_wirelaw() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} command= words=\n"
      "  ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}\n"
      "  case \"$command ${COMP_WORDS[COMP_CWORD-1]}\" in\n");
  for (const CLI::App* app : commands_of(root))
    for (const Choice& one : options_of(*app)) {
      if (!one.words.empty())
        out.print("    '{} --{}') COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n", app->get_name(),
                  one.name, one.words);
      else if (one.takes_value && one.is_file)
        out.print("    '{} --{}') COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n", app->get_name(), one.name);
      else if (one.takes_value)
        out.print("    '{} --{}') return ;;\n", app->get_name(), one.name);
    }
  out.put("  esac\n  case $command in\n");
  std::string names;
  for (const CLI::App* app : commands_of(root)) {
    out.print("    {}) words='{}' ;;\n", app->get_name(), names_of(options_of(*app)).substr(1));
    names += app->get_name() + " ";
  }
  out.print("    '') words='{}{}' ;;\n  esac\n", names, names_of(options_of(root)).substr(1));
  out.put(
      "  if [[ -z $command || $current == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  else\n    COMPREPLY=($(compgen -f -- \"$current\"))\n  fi\n}\n"
      "complete -o filenames -F _wirelaw wirelaw\n");
}

void write_zsh(const CLI::App& root, Output& out) {
  const auto escaped = [](std::string text) {
    std::string result;
    for (const char c : quoted(std::move(text)))
      result += std::string(c == ':' || c == '[' || c == ']' ? "\\" : "") + c;
    return result;
  };
  out.put("#compdef wirelaw\n_wirelaw() {\n  if ((CURRENT == 2)); then\n    local -a commands=(\n");
  for (const CLI::App* app : commands_of(root))
    out.print("      '{}:{}'\n", app->get_name(), escaped(app->get_description()));
  out.print("    )\n    _describe command commands\n    compadd --{}\n    return\n  fi\n  case $words[2] in\n",
            names_of(options_of(root)));
  for (const CLI::App* app : commands_of(root)) {
    out.print("    {})\n      _arguments \\\n", app->get_name());
    for (const Choice& one : options_of(*app)) {
      const std::string value = !one.takes_value     ? ""
                                : !one.words.empty() ? fmt::format(":value:({})", one.words)
                                : one.is_file        ? ":file:_files"
                                                     : ":value: ";
      out.print("        '*--{}[{}]{}' \\\n", one.name, escaped(one.description), value);
    }
    out.put("        '*:file:_files' ;;\n");
  }
  out.put("  esac\n}\nif [[ $funcstack[1] == _wirelaw ]]; then _wirelaw \"$@\"; else compdef _wirelaw wirelaw; fi\n");
}

void write_fish(const CLI::App& root, Output& out) {
  out.put("# fish completion for wirelaw\n");
  for (const CLI::App* app : commands_of(root))
    out.print("complete -c wirelaw -n __fish_use_subcommand -f -a {} -d '{}'\n", app->get_name(),
              quoted(app->get_description()));
  for (const Choice& one : options_of(root))
    out.print("complete -c wirelaw -n __fish_use_subcommand -f -l {} -d '{}'\n", one.name, quoted(one.description));
  for (const CLI::App* app : commands_of(root))
    for (const Choice& one : options_of(*app))
      out.print("complete -c wirelaw -n '__fish_seen_subcommand_from {}' -l {} -d '{}'{}{}\n", app->get_name(),
                one.name, quoted(one.description), one.takes_value ? one.is_file ? " -r -F" : " -x" : "",
                one.words.empty() ? std::string() : fmt::format(" -a '{}'", one.words));
}

using WriteScript = void (*)(const CLI::App& root, Output& out);
constexpr std::pair<std::string_view, WriteScript> kShells[] = {
    {"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};

int run(const CLI::App& root, const std::string& shell) {
  Output out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  for (const auto& [name, write] : kShells)
    if (name == shell) write(root, out);
  return finish(out);
}

}  // namespace

void add_completion(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("completion", "Print a completion script for a shell");
  app->group("");                                // for packagers: installed with the program
  auto shell = std::make_shared<std::string>();  // lives as long as the callback that CLI11 copies
  add_option(*app, "shell", *shell, "The shell")
      ->type_name("bash|zsh|fish")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
  app->callback([&root, &status, shell] { status = run(root, *shell); });
}

}  // namespace wirelaw
