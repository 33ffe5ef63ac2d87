// SPDX-License-Identifier: Apache-2.0
// wirelaw verify: a statement, checked offline.
#include "harness/certify/verify.h"

#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <memory>

#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/commands/output_options.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr std::string_view kHelp =
    R"(The program hashes the files that the statement names again, judges the captures again by its own rules, and
derives the statement from them again. Every difference is a reason why the statement does not hold. A signature shows
who made it, and when. A run without a capture is accepted only from a peer that has none: a pair of consumers (?far,
?pair), or an SRD queue pair without its QPN. The last line counts such runs.

Examples:
  wirelaw verify product-1.2/statement.json
  ssh-keygen -Y verify -f SIGNERS -I NAME -n wirelaw -s statement.json.sig < statement.json
  minisign -Vm statement.json -P KEY

Exit status:
  0  the statement holds, whether or not it grants a certificate
  1  the statement does not hold; each reason is printed
  2  wrong use, or the file is not a statement
)";

struct VerifyCommand {
  std::string file;
  bool verbose = false;
};

void put_not_judged(const Verification& verified, bool verbose, Output& out) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& [rule, why] : verified.not_judged) by_reason[why].push_back(rule);
  for (const auto& [why, rules] : by_reason) {
    out.print("              {} cannot be judged again offline: {}\n", counted(rules.size(), "rule"), why);
    if (verbose)
      out.print("                {}\n",
                wrapped(fmt::format("{}", fmt::join(rules, " ")), columns_of(STDOUT_FILENO), 16));
  }
}

int run(const VerifyCommand& command) {
  const auto verified = verify(command.file, std::string(version()), std::string(commit()));
  if (!verified) return complain(verified.error());
  auto out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  out.put(verified->summary);
  out.print("evidence      {} as the statement says\n", counted(verified->files, "file"));
  out.print("judged again  {}: {} confirmed\n", counted(verified->captures, "capture"),
            counted(verified->same, "verdict"));
  put_not_judged(*verified, command.verbose, out);
  for (const std::string& one : verified->notes) out.print("note          {}\n", one);
  for (const std::string& one : verified->faults) out.print("PROBLEM       {}\n", one);
  if (verified->faults_left_out > 0) out.print("              … and {} more\n", verified->faults_left_out);
  const bool holds = verified->faults.empty();
  const int status = static_cast<int>(holds ? ExitStatus::passed : ExitStatus::failed);
  out.print("{}: {}: {} judged again, {} without a capture (exit status {})\n", holds ? "HOLDS" : "DOES NOT HOLD",
            printable(command.file), counted(verified->captures, "capture"), counted(verified->without_capture, "run"),
            status);
  return finish(out, status);
}

}  // namespace

void add_verify(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("verify", "Check a statement: its hashes, and its verdicts judged again");
  auto command = std::make_shared<VerifyCommand>();  // lives as long as the callback that CLI11 copies
  add_option(*app, "STATEMENT", command->file, "statement.json, in the folder of its evidence")
      ->required()
      ->type_name("FILE");
  add_flag(*app, "-v,--verbose", command->verbose, "Also print the rules that cannot be judged again");
  app->footer(std::string(kHelp));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
