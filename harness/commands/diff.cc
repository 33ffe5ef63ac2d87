// SPDX-License-Identifier: Apache-2.0
// wirelaw diff: compares two results.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/commands/output_options.h"
#include "harness/commands/same_file.h"
#include "reports/difference.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr std::string_view kExamples =
    R"(worse, better   conclusive in both results; fail is worse than warned, and warned is worse than pass
new             conclusive only in the later result; it fails the gate if it is a failure or a violation
gone            conclusive only in the earlier result; now skipped, inconclusive, not exercised or absent
unstable        the later result has several recordings, and their runs disagree
The verdicts pass, warned and fail are conclusive.

Examples:
  wirelaw diff before.json after.json                        for people
  wirelaw diff before.json after.json --format html -o diff.html
  wirelaw diff main.json branch.json --strict                fail also if something is gone

Exit status: 0 nothing is worse; 1 something is worse, and is marked with !; 2 wrong use, an input that is not a result,
results of different protocols, or output that could not be written.
)";

struct DiffCommand {
  std::string before, after, file;
  std::string format = "text";
  bool strict = false;
};

int run(const DiffCommand& command) {
  const std::string output = command.file.empty() ? "-" : command.file;
  if (const auto trouble =
          overwritten({{"the earlier result", command.before}, {"the later result", command.after}}, {{"-o", output}}))
    return complain(*trouble);
  constexpr std::string_view kHint = "a result is what `wirelaw check` or `wirelaw test` writes with --format json";
  const auto before = read_result_file(command.before, kHint);
  if (!before) return complain(before.error());
  const auto after = read_result_file(command.after, kHint);
  if (!after) return complain(after.error());
  const auto was = protocols_of(*before), is = protocols_of(*after);
  if (are_of_other_protocols(was, is))
    return complain(fmt::format("{} is a result of {}, and {} is a result of {}; compare results of the same protocol",
                                printable(command.before), fmt::join(was, ", "), printable(command.after),
                                fmt::join(is, ", ")));
  const Difference difference = difference_of(command.before, *before, command.after, *after, command.strict);
  const bool to_file = output != "-";
  auto out = to_file ? Output::to_file(output) : Output::to_descriptor(STDOUT_FILENO, "standard output");
  if (!out) return complain(out.error());
  if (command.format == "json")
    write_difference_json(difference, version(), *out);
  else if (command.format == "html")
    write_difference_html(difference, version(), *out);
  else
    write_difference_text(difference, to_file ? TextStyle{}.width : columns_of(STDOUT_FILENO), *out);
  return finish(*out, static_cast<int>(difference.fails() ? ExitStatus::failed : ExitStatus::passed));
}

}  // namespace

void add_diff(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("diff", "Compare two JSON results of check or test");
  auto command = std::make_shared<DiffCommand>();  // lives as long as the callback that CLI11 copies
  add_option(*app, "BEFORE", command->before, "The earlier result")->required()->type_name("FILE");
  add_option(*app, "AFTER", command->after, "The later result")->required()->type_name("FILE");
  add_option(*app, "--format", command->format, "Output format (default text)")
      ->type_name("text|json|html")
      ->check(one_of({"text", "json", "html"}));
  add_option(*app, "-o,--output", command->file, "Output file (default: standard output)")->type_name("FILE");
  add_flag(*app, "--strict", command->strict, "Fail also if something is gone");
  app->footer(std::string(kExamples));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
