// SPDX-License-Identifier: Apache-2.0
// wirelaw explain: prints what is known about a rule, a ruling or a case.
#include "harness/explain/explain.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/commands/output_options.h"
#include "harness/commands/suggest.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr std::string_view kExamples =
    "Examples:\n"
    "  wirelaw explain MPA-4.1-3              a rule, by the id that findings have\n"
    "  wirelaw explain RDMAP/A-63             a ruling: how an ambiguous text is read\n"
    "  wirelaw explain ack/server-names-the-first-missing-fragment    a case\n"
    "  wirelaw explain EFA-3.2-1 --format json\n\n"
    "Exit status: 0 every id was explained; 2 wrong use, an unknown id, or output that could not be written.\n";

struct ExplainCommand {
  std::vector<std::string> words;
  std::string protocol, file;
  std::string format = "text";
};

int run(const ExplainCommand& command) {
  const auto protocol = protocol_named(command.protocol);
  if (!protocol) return complain(protocol.error());
  std::vector<Explanation> all;
  for (const std::string& word : command.words) {
    auto found = explain(word, *protocol);
    if (found.empty())
      return complain(
          fmt::format("'{}' is not a rule, ruling or case{} (`wirelaw rules` lists the rules, `wirelaw test "
                      "PROTOCOL --list` the cases, `wirelaw serve PROTOCOL --list-deviations` the deviations)",
                      printable(word), suggestion(word, names_to_explain(*protocol))));
    for (Explanation& one : found) all.push_back(std::move(one));
  }
  const bool to_file = !command.file.empty() && command.file != "-";
  auto out = to_file ? Output::to_file(command.file) : Output::to_descriptor(STDOUT_FILENO, "standard output");
  if (!out) return complain(out.error());
  if (command.format == "json")
    write_explanations_json(all, version(), *out);
  else
    write_explanations_text(all, to_file ? TextStyle{}.width : columns_of(STDOUT_FILENO), *out);
  return finish(*out);
}

}  // namespace

void add_explain(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("explain", "Explain a rule, a ruling or a case");
  auto command = std::make_shared<ExplainCommand>();  // lives as long as the callback that CLI11 copies
  add_option(*app, "ID", command->words, "Ids of rules, rulings or cases")->required()->type_name("");
  add_option(*app, "--protocol", command->protocol, "Only ids of this protocol")->type_name(protocol_words());
  add_option(*app, "--format", command->format, "Output format (default text)")
      ->type_name("text|json")
      ->check(one_of({"text", "json"}));
  add_option(*app, "-o,--output", command->file, "Output file (default: standard output)")->type_name("FILE");
  app->footer(std::string(kExamples));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
