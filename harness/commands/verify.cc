// SPDX-License-Identifier: Apache-2.0
// wirelaw verify: a statement, checked offline.
#include "harness/certify/verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>

#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/commands/output_options.h"
#include "reports/printable.h"
#include "reports/result_file.h"

namespace wirelaw {
namespace {

constexpr std::string_view kHelp =
    R"(The program hashes the files that the statement names again, judges the captures again by its own rules, and
derives the statement from them again. Every difference is a reason why the statement does not hold. So is a result or
a recording of another run, product or certification, a run that is there twice, and a date that does not fit. A run
without a capture is accepted only from a peer that has none: a pair of consumers (?far, ?pair), or an SRD queue pair
without its QPN. The last line counts such runs.

What only a signature can show is who made the folder. Whoever has this program can make one in which everything is
invented and agrees. A signature of `ssh-keygen -Y sign -n wirelaw` in STATEMENT.sig is checked; --signers names the
keys that you trust, in the format of ssh-keygen's allowed signers. Other signatures are reported, not checked.

--require says what exit status 0 means, beside that the statement holds:
  granted    the certificate is granted, perhaps with waivers (default)
  signed     granted, and signed by one of --signers
  any        the certificate may be refused; with signed: but it must be signed

Examples:
  wirelaw verify product-1.2/statement.json
  wirelaw verify product-1.2/statement.json --require signed --signers allowed_signers
  minisign -Vm statement.json -P KEY

Exit status:
  0  the statement holds, and has what --require names
  1  it does not hold, is refused, or is not signed as required; the last line tells which
  2  wrong use, or the file is not a statement
)";

constexpr std::string_view kRequirements[] = {"granted", "signed", "any"};

struct VerifyCommand {
  std::string file, signers;
  std::vector<std::string> required;
  bool verbose = false;

  bool requires_that(std::string_view what) const { return std::ranges::count(required, what) > 0; }
};

// Returns the values of --require, each of which may be a list.
tl::expected<std::vector<std::string>, std::string> words_of(const std::vector<std::string>& lists) {
  std::vector<std::string> words;
  for (const std::string& list : lists)
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      words.push_back(list.substr(at, end - at));
      if (std::ranges::count(kRequirements, words.back()) == 0)
        return tl::make_unexpected(
            fmt::format("--require: '{}' is not one of: {}", printable(words.back()), fmt::join(kRequirements, ", ")));
      at = end + 1;
    }
  return words;
}

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

// The last line's word, and what it says first.
struct Conclusion {
  std::string_view word = "HOLDS", but = {};
  ExitStatus status = ExitStatus::passed;
};
Conclusion conclusion_of(const Verification& verified, const VerifyCommand& command) {
  if (!verified.faults.empty()) return {"DOES NOT HOLD", "", ExitStatus::failed};
  if (!verified.is_granted && (!command.requires_that("any") || command.requires_that("granted")))
    return {"REFUSED", "it holds, but its certificate is refused; ", ExitStatus::failed};
  if (command.requires_that("signed") && verified.signature.state != Signature::State::good)
    return {"NOT SIGNED", "it holds, but none of --signers has signed it; ", ExitStatus::failed};
  return {};
}

int run(VerifyCommand command) {
  auto required = words_of(command.required);
  if (!required) return complain(required.error());
  command.required = std::move(*required);
  if (command.requires_that("signed") && command.signers.empty())
    return complain("--require signed: needs --signers FILE, the keys that you trust");
  if (!command.signers.empty())
    if (const auto signers = read_file(command.signers); !signers) return complain("--signers " + signers.error());
  const auto verified = verify(
      command.file, {.version = std::string(version()), .commit = std::string(commit()), .signers = command.signers});
  if (!verified) return complain(verified.error());
  auto out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  out.put(verified->summary);
  out.print("evidence      {} as the statement says\n", counted(verified->files, "file"));
  out.print("judged again  {}: {} confirmed\n", counted(verified->captures, "capture"),
            counted(verified->same, "verdict"));
  put_not_judged(*verified, command.verbose, out);
  out.print("signature     {}\n", verified->signature.said);
  if (verified->signature.state != Signature::State::good)
    out.put("              anyone can make a folder that holds; only a signature that you trust shows who did\n");
  for (const std::string& one : verified->notes) out.print("note          {}\n", one);
  for (const std::string& one : verified->faults) out.print("PROBLEM       {}\n", one);
  if (verified->faults_left_out > 0) out.print("              … and {} more\n", verified->faults_left_out);
  const Conclusion conclusion = conclusion_of(*verified, command);
  const int status = static_cast<int>(conclusion.status);
  out.print("{}: {}: {}{} judged again, {} without a capture (exit status {})\n", conclusion.word,
            printable(command.file), conclusion.but, counted(verified->captures, "capture"),
            counted(verified->without_capture, "run"), status);
  return finish(out, status);
}

}  // namespace

void add_verify(CLI::App& root, int& status) {
  CLI::App* app =
      root.add_subcommand("verify", "Check a statement: its hashes, its verdicts judged again, and its signature");
  auto command = std::make_shared<VerifyCommand>();  // lives as long as the callback that CLI11 copies
  add_option(*app, "STATEMENT", command->file, "statement.json, in the folder of its evidence")
      ->required()
      ->type_name("FILE");
  add_option(*app, "--require", command->required, "granted, signed or any; a list, repeatable (default granted)")
      ->type_name("WHAT")
      ->allow_extra_args(false);
  add_option(*app, "--signers", command->signers, "The keys that you trust (allowed signers of ssh-keygen)")
      ->type_name("FILE");
  add_flag(*app, "-v,--verbose", command->verbose, "Also print the rules that cannot be judged again");
  app->footer(std::string(kHelp));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
