// SPDX-License-Identifier: Apache-2.0
// wirelaw merge: joins the results of shards.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "conformance/stack.h"
#include "harness/check/check_files.h"
#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/commands/output_options.h"
#include "harness/commands/shard_option.h"
#include "harness/shard/join.h"
#include "harness/tested_role.h"
#include "reports/html/conversation.h"
#include "reports/printable.h"
#include "reports/result_file.h"
#include "reports/text.h"

namespace wirelaw {
namespace {

constexpr std::string_view kExamples =
    R"(The output is the same as that of one run without --shard, in each format. Only the page of --html differs: it
shows no conversations, because captures are not read again.

Examples:
  wirelaw check --shard 1/2 big.pcapng --format json -o 1.json
  wirelaw check --shard 2/2 big.pcapng --format json -o 2.json
  wirelaw merge 1.json 2.json                        the verdicts of both, as text
  wirelaw merge shards/*.json --format json -o result.json --baseline known.json

)";

struct MergeCommand {
  std::vector<std::string> files;
  OutputOptions output;
};

struct NamedShard {
  std::string name;
  ShardFile file;
};

tl::expected<std::vector<NamedShard>, std::string> read_shards(const std::vector<std::string>& files) {
  const ThisBuild build{.version = version(), .commit = commit(), .find = [](std::string_view id) {
                          return catalogue_for(nullptr).find(id);
                        }};
  std::vector<NamedShard> shards;
  for (const std::string& name : files) {
    const auto text = read_file(name);
    if (!text) return tl::make_unexpected(text.error());
    auto file = parse_shard_file(name, *text, build);
    if (!file) return tl::make_unexpected(file.error());
    shards.push_back({name, std::move(*file)});
  }
  return shards;
}

std::string asked_of(const ShardRun& run) {
  std::string words = run.command;
  if (run.command == "test") words += " " + run.protocol;
  for (const std::string& one : run.asked) words += " " + one;
  return printable(words);
}

// Empty where these are all shards of one run, each once.
std::string trouble_with(const std::vector<NamedShard>& shards) {
  const NamedShard& first = shards.front();
  const std::uint64_t of = first.file.shard.of;
  std::vector<const NamedShard*> there(of);
  for (const NamedShard& one : shards) {
    if (one.file.shard.of != of)
      return fmt::format("{} is shard {}, and {} is shard {}: they belong to different runs", printable(first.name),
                         to_string(first.file.shard), printable(one.name), to_string(one.file.shard));
    if (one.file.run != first.file.run)
      return fmt::format("{} is of the run `{}`, and {} of `{}`: merge shards of one run", printable(first.name),
                         asked_of(first.file.run), printable(one.name), asked_of(one.file.run));
    const NamedShard*& place = there[one.file.shard.index];
    if (place != nullptr)
      return fmt::format("{} and {} are both shard {}; name each once", printable(place->name), printable(one.name),
                         to_string(one.file.shard));
    place = &one;
  }
  const auto missing = std::ranges::find(there, nullptr);
  if (missing == there.end()) return {};
  const Shard shard{.index = static_cast<std::uint64_t>(missing - there.begin()), .of = of};
  return fmt::format("shard {} is missing, and {} of {} are there; name all of them", to_string(shard), shards.size(),
                     of);
}

struct Merged {
  FileResults run;
  RunEnd end = RunEnd::complete;
  int signal = 0;
};

tl::expected<Merged, std::string> merge_checks(std::vector<Share> shares, const ShardRun& asked) {
  constexpr std::string_view kIut = "--iut ";
  CheckOptions options;
  for (const std::string& one : asked.asked)
    if (one.starts_with(kIut))
      if (const auto iut = parse_iut(one.substr(kIut.size()))) options.iut = *iut;
  auto results = results_of_shares(std::move(shares), options);
  if (!results) return tl::make_unexpected("these shards belong to different runs: " + results.error());
  if (!results->fits_one)
    return tl::make_unexpected(
        fmt::format("these shards have followed more at once ({} MiB of the state of flows, or {} pairs of nodes) than "
                    "one run would: judge these captures without --shard",
                    options.limits.flow_octets >> 20, Associations::kMost));
  Merged merged{.run = std::move(*results)};
  if (!merged.run.incomplete.empty()) merged.end = RunEnd::input_unreadable;
  return merged;
}

// Each shard has its own recording, if any, so frame numbers mean nothing in the merged result.
void leave_out_frames(Share& share) {
  for (Finding& one : share.findings) {
    one.frame = 0;
    one.places.clear();
  }
  for (CaseResult& one : share.cases) one.first_frame = one.last_frame = 0;
}

tl::expected<Merged, std::string> merge_tests(std::vector<Share> shares, const ShardRun& asked) {
  const Protocol* const protocol = find_protocol(asked.protocol);
  if (protocol == nullptr)
    return tl::make_unexpected(fmt::format("this program does not know the protocol '{}'", printable(asked.protocol)));
  for (Share& one : shares) leave_out_frames(one);
  constexpr std::size_t kUnlimited = static_cast<std::size_t>(-1);
  auto joined = join(std::move(shares), {.listed_flows = kUnlimited});
  if (!joined) return tl::make_unexpected("these shards belong to different runs: " + joined.error());
  Merged merged;
  merged.run.results = results_of(std::move(*joined));
  for (const Protocol* one : stack_of(*protocol, protocols()))
    exclude_other_role(merged.run.results.rules, *one, asked.role);
  if (!anything_concluded(merged.run.results)) merged.end = RunEnd::nothing_concluded;
  return merged;
}

// A run has ended as the shard has that ended worst.
void take_ends(const std::vector<NamedShard>& shards, Merged& merged) {
  for (const RunEnd end : {RunEnd::peer_died, RunEnd::peer_lost, RunEnd::local_resource_error, RunEnd::interrupted})
    for (const NamedShard& one : shards) {
      if (one.file.end != to_string(end)) continue;
      merged.end = end;
      if (end == RunEnd::interrupted) merged.signal = std::max(0, one.file.exit_status - kEndedBySignal);
    }
}

int run(const MergeCommand& command) {
  std::vector<NamedFile> inputs;
  for (const std::string& one : command.files) inputs.push_back({"the shard", one});
  const auto deliverables = Deliverables::prepare(command.output, std::move(inputs));
  if (!deliverables) return complain(deliverables.error());
  auto shards = read_shards(command.files);
  if (!shards) return complain(shards.error());
  if (const std::string trouble = trouble_with(*shards); !trouble.empty()) return complain(trouble);
  std::ranges::sort(*shards, {}, [](const NamedShard& one) { return one.file.shard.index; });
  const ShardRun asked = shards->front().file.run;
  std::vector<Share> shares;
  for (NamedShard& one : *shards) shares.push_back(std::move(one.file.share));
  auto merged =
      asked.command == "test" ? merge_tests(std::move(shares), asked) : merge_checks(std::move(shares), asked);
  if (!merged) return complain(merged.error());
  take_ends(*shards, *merged);
  for (const InputProblem& one : merged->run.incomplete) complain(one_line(one));
  ShownTraffic evidence;
  evidence.missing = "merge does not read the captures of the shards again";
  evidence.input_of_finding = std::move(merged->run.input_of_finding);
  const Results& results = merged->run.results;
  if (const auto trouble = deliverables->trouble_with_baseline(protocols_of(results)); !trouble.empty())
    return complain(trouble);
  return deliverables->deliver(results, deliverables->gate(results, merged->end, merged->signal), 0, &evidence);
}

}  // namespace

void add_merge(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("merge", "Merge the results of shards");
  auto command = std::make_shared<MergeCommand>();  // lives as long as the callback that CLI11 copies
  add_option(*app, "RESULT", command->files,
             "Results of `check` or `test` with --shard I/N --format json; all N of them")
      ->type_name("FILE")
      ->required();
  add_output_options(*app, command->output);
  add_inconclusive_option(*app, command->output);
  app->footer(std::string(kExamples) + std::string(kExitStatuses));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
