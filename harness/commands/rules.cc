// SPDX-License-Identifier: Apache-2.0
// wirelaw rules: the catalogue.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>

#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/commands/output_options.h"
#include "harness/commands/section_option.h"
#include "harness/commands/suggest.h"
#include "reports/json.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr std::string_view kExamples =
    "Examples:\n"
    "  wirelaw rules\n"
    "  wirelaw rules 'RAMCLOUD-ack-*' --level must\n"
    "  wirelaw rules --section RFC5040:4.8\n"
    "  wirelaw rules --observable stimulus    rules that only `wirelaw test` can judge\n"
    "  wirelaw rules --format json -o rules.json\n\n"
    "Exit status: 0 rules were listed; 2 wrong use, no rule matches, or output that could not be written.\n";

constexpr const char* kLevels = "must|must-not|should|should-not|may|obsolete";
constexpr const char* kObservables = "trace|stimulus|api|none";
constexpr const char* kEvidences = "octets|absence|order";

struct RulesCommand {
  std::vector<std::string> globs, sections;
  std::string protocol, level, observable, evidence;
  std::string format = "text";
  std::string file;
};

std::vector<std::string> words_of(std::string_view alternatives) {
  std::vector<std::string> words;
  while (!alternatives.empty()) {
    const std::size_t bar = std::min(alternatives.find('|'), alternatives.size());
    words.emplace_back(alternatives.substr(0, bar));
    alternatives.remove_prefix(std::min(bar + 1, alternatives.size()));
  }
  return words;
}

// "MUST NOT" as an option spells it.
std::string word_of(Level level) {
  std::string word(to_string(level));
  for (char& c : word) c = c == ' ' ? '-' : static_cast<char>(c - 'A' + 'a');
  return word;
}

bool is_wanted(const Rule& rule, const RulesCommand& command) {
  if (!command.level.empty() && word_of(rule.level) != command.level) return false;
  if (!command.observable.empty() && to_string(rule.observable) != command.observable) return false;
  if (!command.evidence.empty() && to_string(rule.evidence) != command.evidence) return false;
  return command.globs.empty() ||
         std::ranges::any_of(command.globs, [&](const std::string& glob) { return matches_glob(glob, rule.id); });
}

// The protocol's own rules: those of the protocols below it, which `check --protocol` judges as well, are listed by
// name.
const Catalogue& listed(const Protocol* protocol) {
  return protocol == nullptr ? catalogue_for(nullptr) : protocol->catalogue();
}

std::vector<const Rule*> wanted_rules(const Protocol* protocol, const RulesCommand& command) {
  std::vector<const Rule*> rules;
  for (const Rule* rule : listed(protocol).rules())
    if (is_wanted(*rule, command)) rules.push_back(rule);
  return rules;
}

// The word of the protocol that has the rule for the role that it binds.
std::string_view role_of(const Rule& rule) {
  if (rule.subject == Role::any) return "any";
  for (const Protocol* protocol : protocols())
    if (protocol->catalogue().find(rule.id))
      return rule.subject == Role::initiator ? protocol->initiator : protocol->responder;
  return rule.subject == Role::initiator ? "initiator" : "responder";
}

void write_rules_text(const std::vector<const Rule*>& rules, Output& out) {
  const std::size_t width = columns_of(STDOUT_FILENO);
  for (const Rule* rule : rules) {
    out.print("{}  {}  {}  {}  {}{}\n", rule->id, to_string(rule->level), role_of(*rule), to_string(rule->observable),
              rule->section,
              rule->evidence == Evidence::octets ? "" : fmt::format("  rests on {}", to_string(rule->evidence)));
    out.print("    {}\n", wrapped(rule->summary, width, 4));
    if (!rule->note.empty()) out.print("    note: {}\n", wrapped(rule->note, width, 4));
  }
  out.print("{}\n", counted(rules.size(), "rule"));
}

int run(RulesCommand command) {
  const auto protocol = protocol_named(command.protocol);
  if (!protocol) return complain(protocol.error());
  if (const auto added = add_rules_of(command.sections, listed(*protocol), command.globs); !added)
    return complain(added.error());
  const std::vector<const Rule*> rules = wanted_rules(*protocol, command);
  if (rules.empty()) {
    std::vector<std::string> ids;
    for (const Rule* rule : listed(*protocol).rules()) ids.emplace_back(rule->id);
    return complain(unmatched("", "rule", command.globs, ids).value_or("no rule matches") +
                    "; `wirelaw rules` without filters lists all");
  }
  auto out = command.file.empty() || command.file == "-" ? Output::to_descriptor(STDOUT_FILENO, "standard output")
                                                         : Output::to_file(command.file);
  if (!out) return complain(out.error());
  if (command.format == "json")
    write_rules_json(rules, version(), *out);
  else
    write_rules_text(rules, *out);
  return finish(*out);
}

}  // namespace

void add_rules(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("rules", "List the catalogue of rules");
  auto command = std::make_shared<RulesCommand>();  // lives as long as the callback that CLI11 copies
  const auto add_choice = [&](const char* name, std::string& value, const char* description, const char* words) {
    add_option(*app, name, value, description)->type_name(words)->check(one_of(words_of(words)));
  };
  add_option(*app, "GLOB", command->globs, "Only rules whose id matches one of these, e.g. RAMCLOUD-ack-*")
      ->type_name("");
  add_section_option(*app, command->sections, "Only rules of this section, e.g. RFC5040:4.8; repeatable");
  add_option(*app, "--protocol", command->protocol, "Only rules of this protocol, not of the protocols below it")
      ->type_name(protocol_words());
  add_choice("--level", command->level, "Only rules of this level", kLevels);
  add_choice("--observable", command->observable, "Only rules that can be judged this way", kObservables);
  add_choice("--evidence", command->evidence, "Only rules whose violation rests on this kind of evidence", kEvidences);
  add_choice("--format", command->format, "Output format (default text)", "text|json");
  add_option(*app, "-o,--output", command->file, "Output file (default: standard output)")->type_name("FILE");
  app->footer(std::string(kExamples));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
