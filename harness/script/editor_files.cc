// SPDX-License-Identifier: Apache-2.0
#include "harness/script/editor_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/script/languages.h"
#include "conformance/script/words.h"

namespace wirelaw {
namespace {

using Names = std::vector<std::string_view>;

// A class of words, and what it is called in Vim and in TextMate grammars.
struct WordClass {
  std::string_view name;  // the group in Vim
  std::string_view vim;   // the standard group that gives the colour
  std::string_view scope;
  Names words;
  bool ignores_case = false;
};

Names of_all_languages(std::span<const script::MessageRow> (*rows)(const script::Language&)) {
  std::set<std::string_view> names;
  for (const script::Language* const language : script::languages())
    for (const script::MessageRow& row : rows(*language)) names.insert(row.name);
  return {names.begin(), names.end()};
}

Names timers() {
  std::set<std::string_view> names;
  for (const script::Language* const language : script::languages())
    for (const script::TimerRow& row : language->timers) names.insert(row.name);
  return {names.begin(), names.end()};
}

std::vector<WordClass> word_classes() {
  const script::Words words = script::words();
  return {
      {"wirelawHeading", "PreProc", "keyword.control.heading", words.headings},
      {"wirelawSetting", "PreProc", "keyword.other.setting", words.settings},
      {"wirelawStep", "Statement", "keyword.control", words.steps},
      {"wirelawEvent", "Special", "constant.language", words.events},
      {"wirelawDamage", "Exception", "keyword.other.damage", words.damage},
      {"wirelawFunction", "Function", "support.function", words.functions},
      {"wirelawMessage", "Type", "entity.name.type",
       of_all_languages([](const script::Language& one) { return one.messages(); }), true},
      {"wirelawWish", "Identifier", "variable.parameter",
       of_all_languages([](const script::Language& one) { return one.wishes; })},
      {"wirelawTimer", "Constant", "constant.other", timers()},
  };
}

// Patterns that are recognised by their form.
struct PatternClass {
  std::string_view name;
  std::string_view vim;
  std::string_view scope;
  std::string pattern;     // for Vim
  std::string expression;  // for Oniguruma
};

std::vector<PatternClass> pattern_classes() {
  const std::string units = fmt::format("{}", fmt::join(script::words().units, "|"));
  std::string vim_units = units;
  for (std::size_t at = 0; (at = vim_units.find('|', at)) != std::string::npos; at += 2)
    vim_units.replace(at, 1, "\\|");
  return {
      {"wirelawNode", "Label", "entity.name.tag", R"(^\s*[a-z]\>\(#\d\+\)\=)", R"(^\s*[a-z]\b(?:#\d+)?)"},
      {"wirelawNumber", "Number", "constant.numeric", fmt::format(R"(\<\(0x\x\+\|\d\+\({}\)\=\)\>)", vim_units),
       fmt::format(R"(\b(?:0x[0-9a-fA-F]+|\d+(?:{})?)\b)", units)},
      {"wirelawHex", "Number", "constant.numeric.hex", R"(\<hex:\x*)", R"(\bhex:[0-9a-fA-F]*)"},
      {"wirelawVariable", "Identifier", "variable.other", R"(\$\h\w*)", R"(\$[A-Za-z_]\w*)"},
      {"wirelawMark", "Todo", "markup.heading", R"([!?]\s*\S\+-\S\+)", R"([!?]\s*\S+-\S+)"},
      {"wirelawString", "String", "string.quoted.double", R"("[^"]*")", R"("[^"]*")"},
      {"wirelawComment", "Comment", "comment.line", R"(#\(\d\)\@!.*$)", R"(#(?!\d).*$)"},
  };
}

std::vector<EditorFile> for_vim() {
  std::string text =
      "\" SPDX-License-Identifier: Apache-2.0\n"
      "\" Wirelaw scripts (*.wirelaw), as `wirelaw script editor vim` writes it.\n"
      "if exists(\"b:current_syntax\")\n  finish\nendif\n"
      "syntax iskeyword @,48-57,_\n\n";
  for (const WordClass& one : word_classes()) {
    text += fmt::format("syntax case {}\n", one.ignores_case ? "ignore" : "match");
    text += fmt::format("syntax keyword {} {}\n", one.name, fmt::join(one.words, " "));
  }
  text += "syntax case match\n";
  for (const PatternClass& one : pattern_classes())
    text += fmt::format("syntax match {} '{}'\n", one.name, one.pattern);
  text += '\n';
  for (const WordClass& one : word_classes()) text += fmt::format("highlight default link {} {}\n", one.name, one.vim);
  for (const PatternClass& one : pattern_classes())
    text += fmt::format("highlight default link {} {}\n", one.name, one.vim);
  text += "\nlet b:current_syntax = \"wirelaw\"\n";
  return {{"ftdetect/wirelaw.vim", "autocmd BufRead,BufNewFile *.wirelaw setfiletype wirelaw\n"},
          {"ftplugin/wirelaw.vim", "setlocal commentstring=#\\ %s\n"},
          {"syntax/wirelaw.vim", std::move(text)}};
}

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2) + "\n";
}

std::vector<EditorFile> for_vscode() {
  using nlohmann::ordered_json;
  ordered_json patterns = ordered_json::array();
  // The first pattern that matches at a place decides: comments and strings hide what is in them.
  const std::vector<PatternClass> forms = pattern_classes();
  for (auto one = forms.rbegin(); one != forms.rend(); ++one)
    patterns.push_back({{"name", fmt::format("{}.wirelaw", one->scope)}, {"match", one->expression}});
  for (const WordClass& one : word_classes())
    patterns.push_back(
        {{"name", fmt::format("{}.wirelaw", one.scope)},
         {"match", fmt::format(R"({}\b(?:{})\b)", one.ignores_case ? "(?i)" : "", fmt::join(one.words, "|"))}});
  const ordered_json grammar{{"scopeName", "source.wirelaw"}, {"name", "Wirelaw script"}, {"patterns", patterns}};
  const ordered_json configuration{{"comments", {{"lineComment", "#"}}}, {"brackets", {{"(", ")"}}}};
  ordered_json language{{"id", "wirelaw"},
                        {"aliases", {"Wirelaw script"}},
                        {"extensions", {".wirelaw"}},
                        {"configuration", "./language-configuration.json"}};
  ordered_json use{{"language", "wirelaw"}, {"scopeName", "source.wirelaw"}, {"path", "./syntaxes/wirelaw.json"}};
  ordered_json contributes{{"languages", ordered_json::array({language})}, {"grammars", ordered_json::array({use})}};
  const ordered_json package{{"name", "wirelaw-script"},
                             {"displayName", "Wirelaw scripts"},
                             {"description", "Highlights conversations of RDMA protocols that are written as text"},
                             {"publisher", "wirelaw"},
                             {"license", "Apache-2.0"},
                             {"version", "1.0.0"},
                             {"engines", {{"vscode", "^1.50.0"}}},
                             {"categories", {"Programming Languages"}},
                             {"contributes", contributes}};
  return {{"language-configuration.json", json_text(configuration)},
          {"package.json", json_text(package)},
          {"syntaxes/wirelaw.json", json_text(grammar)}};
}

struct Editor {
  std::string_view name;
  std::vector<EditorFile> (*files)();
};
constexpr Editor kEditors[] = {{"vim", for_vim}, {"vscode", for_vscode}};

}  // namespace

std::vector<std::string_view> known_editors() {
  std::vector<std::string_view> names;
  for (const Editor& editor : kEditors) names.push_back(editor.name);
  return names;
}

std::vector<EditorFile> editor_files(std::string_view name) {
  const auto found = std::ranges::find(kEditors, name, &Editor::name);
  return found == std::end(kEditors) ? std::vector<EditorFile>() : found->files();
}

}  // namespace wirelaw
