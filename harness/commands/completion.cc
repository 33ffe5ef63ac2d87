// SPDX-License-Identifier: Apache-2.0
// wirelaw completion: scripts for shells. They are made from the options themselves, so they are always up to date. The
// scripts ask this program for the ids of cases, deviations and rules.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/explain/explain.h"
#include "harness/peers/reference_peers.h"
#include "reports/output.h"

namespace wirelaw {
namespace {

struct Choice {
  std::string name;   // "format", or that of a positional argument
  std::string words;  // separated by blanks; empty: any value
  std::string ids;    // a kind of ids (kIds), from `wirelaw completion KIND [PROTOCOL]`
  std::string description;
  bool takes_value = false;
  bool is_file = false;
  bool repeats = false;
};

struct IdsRow {
  std::string_view name, kind;
};
constexpr IdsRow kIds[] = {
    {"case", "cases"}, {"deviate", "deviations"}, {"rule", "rules"}, {"GLOB", "rules"}, {"ID", "ids"}};

Choice choice_of(const CLI::Option& option, const std::string& name) {
  const std::string type = option.get_type_name();
  const bool takes_value = option.get_items_expected_max() > 0;
  // Words to choose from are small letters; a name for a value is capital: "text|json", "FILE".
  const bool has_words =
      takes_value && !type.empty() && std::ranges::none_of(type, [](char c) { return c >= 'A' && c <= 'Z'; });
  Choice choice{.name = name,
                .words = has_words ? type : "",
                .ids = "",
                .description = option.get_description(),
                .takes_value = takes_value,
                .is_file = type == "FILE",
                .repeats = option.get_items_expected_max() > 1};
  std::ranges::replace(choice.words, '|', ' ');
  if (const auto* const row = std::ranges::find(kIds, name, &IdsRow::name); row != std::end(kIds))
    choice.ids = row->kind;
  return choice;
}

std::vector<Choice> options_of(const CLI::App& app) {
  std::vector<Choice> choices;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) choices.push_back(choice_of(*option, name));
  return choices;
}

// Arguments that are not files: all arguments after the first file are files.
std::vector<Choice> positionals_of(const CLI::App& app) {
  std::vector<Choice> choices;
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) choices.push_back(choice_of(*option, option->get_single_name()));
  while (!choices.empty() && choices.back().words.empty() && choices.back().ids.empty()) choices.pop_back();
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

std::string with_values(const std::vector<Choice>& choices) {
  std::string names;
  for (const Choice& one : choices)
    if (one.takes_value) names += " --" + one.name;
  return names;
}

std::string protocol_list() {
  std::string list = protocol_words();
  std::ranges::replace(list, '|', ' ');
  return list;
}

std::string quoted(std::string text) {  // for single quotes
  std::erase(text, '\'');
  return text;
}

// Returns the completion of a value in bash; empty: none.
std::string bash_reply(const Choice& one) {
  if (!one.words.empty()) return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$current\"))", one.words);
  if (!one.ids.empty()) return fmt::format("_wirelaw_ids {}", one.ids);
  return one.is_file ? "COMPREPLY=($(compgen -f -- \"$current\"))" : "";
}

void write_bash(const CLI::App& root, Output& out) {
  out.print(R"sh(# bash completion for wirelaw
_wirelaw_ids() {{
  local word protocol=
  for word in "${{COMP_WORDS[@]:2:COMP_CWORD-2}}"; do
    case ' {} ' in *" $word "*) protocol=$word; break ;; esac
  done
  COMPREPLY=($(compgen -W "$("${{COMP_WORDS[0]/#\~/$HOME}}" completion "$1" $protocol 2>/dev/null)" -- "$current"))
}}
_wirelaw() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} option=${{COMP_WORDS[COMP_CWORD-1]}} command= words= valued= at=0 i
  [[ $current == = ]] && current=
  [[ $option == = ]] && option=${{COMP_WORDS[COMP_CWORD-2]}}
  ((COMP_CWORD > 1)) && command=${{COMP_WORDS[1]}}
  case "$command $option" in
)sh",
            protocol_list());
  for (const CLI::App* app : commands_of(root))
    for (const Choice& one : options_of(*app)) {
      const std::string reply = bash_reply(one);
      if (one.takes_value)
        out.print("    '{} --{}') {}return ;;\n", app->get_name(), one.name, reply.empty() ? "" : reply + "; ");
    }
  out.put("  esac\n  case $command in\n");
  std::string names;
  for (const CLI::App* app : commands_of(root)) {
    const std::vector<Choice> options = options_of(*app);
    out.print("    {}) words='{}' valued='{} ' ;;\n", app->get_name(), names_of(options).substr(1),
              with_values(options));
    names += app->get_name() + " ";
  }
  out.print("    '') words='{}{}' ;;\n  esac\n", names, names_of(options_of(root)).substr(1));
  out.put(R"sh(  if [[ -z $command || $current == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  for ((i = 2; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then ((++at))
    elif [[ ${COMP_WORDS[i+1]} == = ]]; then ((i += 2))
    elif [[ $valued == *" ${COMP_WORDS[i]} "* ]]; then ((++i))
    fi
  done
  case "$command $at" in
)sh");
  for (const CLI::App* app : commands_of(root)) {
    std::size_t at = 0;
    for (const Choice& one : positionals_of(*app)) {
      const std::string place = one.repeats ? "*" : std::to_string(at++);
      if (const std::string reply = bash_reply(one); !reply.empty())
        out.print("    '{} '{}) {} ;;\n", app->get_name(), place, reply);
    }
  }
  out.put(R"sh(    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _wirelaw wirelaw
)sh");
}

// Returns the completion of a value in zsh, in the syntax of _arguments.
std::string zsh_action(const Choice& one) {
  if (!one.words.empty()) return fmt::format("({})", one.words);
  if (!one.ids.empty()) return fmt::format(" _wirelaw_ids {}", one.ids);
  return one.is_file ? "_files" : " ";
}

void write_zsh(const CLI::App& root, Output& out) {
  const auto escaped = [](std::string text) {
    std::string result;
    for (const char c : quoted(std::move(text)))
      result += std::string(c == ':' || c == '[' || c == ']' ? "\\" : "") + c;
    return result;
  };
  std::string either = protocol_list();
  std::ranges::replace(either, ' ', '|');
  out.print(R"sh(#compdef wirelaw
_wirelaw_ids() {{
  local -a ids
  ids=(${{(f)"$($program completion $1 ${{words[(r)({})]}} 2>/dev/null)"}})
  compadd -a ids
}}
_wirelaw() {{
  local program=${{(Q)words[1]/#\~/$HOME}}
  if ((CURRENT == 2)); then
    local -a commands=(
)sh",
            either);
  for (const CLI::App* app : commands_of(root))
    out.print("      '{}:{}'\n", app->get_name(), escaped(app->get_description()));
  out.print(
      "    )\n    _describe command commands\n    compadd --{}\n    return\n  fi\n  shift words\n  ((--CURRENT))\n"
      "  case $words[1] in\n",
      names_of(options_of(root)));
  for (const CLI::App* app : commands_of(root)) {
    out.print("    {})\n      _arguments \\\n", app->get_name());
    for (const Choice& one : options_of(*app)) {
      const char* const what = one.is_file ? "file" : "value";
      const std::string value = one.takes_value ? fmt::format(":{}:{}", what, zsh_action(one)) : "";
      out.print("        '*--{}[{}]{}' \\\n", one.name, escaped(one.description), value);
    }
    std::string rest = "_files";
    for (const Choice& one : positionals_of(*app))
      if (one.repeats)
        rest = zsh_action(one);
      else
        out.print("        ':{}:{}' \\\n", one.name, zsh_action(one));
    out.print("        '*:file:{}' ;;\n", rest);
  }
  out.put("  esac\n}\nif [[ $funcstack[1] == _wirelaw ]]; then _wirelaw \"$@\"; else compdef _wirelaw wirelaw; fi\n");
}

// Returns the completion of a value in fish; empty: none.
std::string fish_list(const Choice& one) {
  return !one.words.empty() ? one.words : one.ids.empty() ? "" : fmt::format("(__wirelaw_ids {})", one.ids);
}

void write_fish(const CLI::App& root, Output& out) {
  out.print(R"sh(# fish completion for wirelaw
function __wirelaw_ids
  set -l protocol
  for word in (commandline -opc)
    if contains -- $word {}
      set protocol $word
      break
    end
  end
  wirelaw completion $argv[1] $protocol 2>/dev/null
end
)sh",
            protocol_list());
  for (const CLI::App* app : commands_of(root))
    out.print("complete -c wirelaw -n __fish_use_subcommand -f -a {} -d '{}'\n", app->get_name(),
              quoted(app->get_description()));
  for (const Choice& one : options_of(root))
    out.print("complete -c wirelaw -n __fish_use_subcommand -f -l {} -d '{}'\n", one.name, quoted(one.description));
  for (const CLI::App* app : commands_of(root)) {
    for (const Choice& one : options_of(*app)) {
      const std::string list = fish_list(one);
      out.print("complete -c wirelaw -n '__fish_seen_subcommand_from {}' -l {} -d '{}'{}{}\n", app->get_name(),
                one.name, quoted(one.description), one.takes_value ? one.is_file ? " -r -F" : " -x" : "",
                list.empty() ? "" : fmt::format(" -a '{}'", list));
    }
    std::string before;  // earlier arguments, one of which must be present
    for (const Choice& one : positionals_of(*app)) {
      const std::string unless =
          one.words.empty() ? "" : fmt::format("; and not __fish_seen_subcommand_from {}", one.words);
      if (const std::string list = fish_list(one); !list.empty())
        out.print("complete -c wirelaw -n '__fish_seen_subcommand_from {}{}{}' -f -a '{}'\n", app->get_name(), before,
                  unless, list);
      if (!one.words.empty()) before += fmt::format("; and __fish_seen_subcommand_from {}", one.words);
    }
  }
}

// Returns the ids of a kind, one per line, of one protocol or of all.
std::vector<std::string> ids_of(std::string_view kind, const Protocol* protocol) {
  std::vector<std::string> ids;
  if (kind == "ids") return names_to_explain(protocol);
  if (kind == "rules")
    for (const Rule* rule : catalogue_for(protocol).rules()) ids.emplace_back(rule->id);
  for (const Protocol* one : protocols()) {
    if (protocol != nullptr && one != protocol) continue;
    const ReferencePeer* const reference = find_reference_peer(one->name);
    if (kind == "cases")
      for (const Case& known : one->cases()) ids.emplace_back(known.id);
    if (kind == "deviations" && reference != nullptr)
      for (const DeviationName& known : reference->deviations()) ids.emplace_back(known.name);
  }
  return ids;
}

using WriteScript = void (*)(const CLI::App& root, Output& out);
constexpr std::pair<std::string_view, WriteScript> kShells[] = {
    {"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};

int run(const CLI::App& root, const std::string& what, const std::string& protocol_name) {
  const auto protocol = protocol_named(protocol_name, "");
  if (!protocol) return complain(protocol.error());
  Output out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  for (const auto& [name, write] : kShells)
    if (name == what) write(root, out);
  for (const std::string& id : ids_of(what, *protocol)) out.print("{}\n", id);
  return finish(out);
}

}  // namespace

void add_completion(CLI::App& root, int& status) {
  CLI::App* app =
      root.add_subcommand("completion", "Print a completion script for a shell, or the ids that it completes");
  app->group("");  // for packagers: installed with the program
  auto what = std::make_shared<std::string>(), protocol = std::make_shared<std::string>();  // live as the callback does
  add_option(*app, "what", *what, "The shell, or the kind of ids")
      ->type_name("bash|zsh|fish|cases|deviations|rules|ids")
      ->required()
      ->check(one_of({"bash", "zsh", "fish", "cases", "deviations", "rules", "ids"}));
  add_option(*app, "protocol", *protocol, "Only ids of this protocol")->type_name(protocol_words());
  app->callback([&root, &status, what, protocol] { status = run(root, *what, *protocol); });
}

}  // namespace wirelaw
