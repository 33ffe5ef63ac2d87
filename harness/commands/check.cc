// SPDX-License-Identifier: Apache-2.0
// wirelaw check: judges captures.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "harness/check/check_jobs.h"
#include "harness/commands/annotate.h"
#include "harness/commands/check_command.h"
#include "harness/commands/command.h"
#include "harness/commands/evidence.h"
#include "harness/commands/options.h"
#include "harness/commands/progress.h"
#include "harness/commands/script_inputs.h"
#include "harness/commands/shard_option.h"
#include "reports/printable.h"
#include "reports/result_file.h"
#include "reports/text.h"

namespace wirelaw {
namespace {

constexpr std::string_view kExamples =
    "Examples:\n"
    "  wirelaw check trace.pcapng\n"
    "  wirelaw check --decode-as udp.port=7001,ramcloud --iut 192.0.2.1:7001 trace.pcap\n"
    "  tcpdump -w - udp port 7001 | wirelaw check -\n"
    "  wirelaw check --live eth0 --filter 'udp port 7001' --decode-as udp.port=7001,ramcloud\n"
    "  wirelaw check --format json -o result.json --format junit -o result.xml *.pcap\n"
    "  wirelaw check --baseline result.json new.pcap      only new failures fail the run\n"
    "  wirelaw check --pcapng evidence.pcapng trace.pcap  findings as packet comments for Wireshark\n"
    "  wirelaw check --jobs 8 *.pcapng                    in eight processes\n"
    "  wirelaw check lost-ack.wirelaw                     a script, judged as a capture; see `wirelaw script "
    "--help`\n\n";

// --pcapng reads the capture twice. The error if that is impossible, or if results would go to the same place; empty
// otherwise.
std::string trouble_with_pcapng(const CheckCommand& command) {
  const std::vector<std::string>& files = command.capture.files;
  std::error_code ignored;
  if (files.size() != 1 || files[0] == "-")
    return "--pcapng: takes exactly one FILE, and reads it twice; standard input cannot be read twice";
  if (std::filesystem::exists(files[0], ignored) && !std::filesystem::is_regular_file(files[0], ignored))
    return fmt::format(
        "--pcapng: {} is not a regular file, and --pcapng reads a capture twice; write it to a file first",
        printable(files[0]));
  return {};
}

ShownTraffic evidence_of(const CheckCommand& command, const CheckOptions& options, const FileResults& run) {
  const std::vector<std::string> recording{command.recording};
  const std::vector<std::string>& files = command.recording.empty() ? command.capture.files : recording;
  if (std::ranges::any_of(files, [](const std::string& one) { return can_be_read_twice(std::span(&one, 1)); }))
    return wirelaw::evidence_of(files, options, run.results, run.input_of_finding);
  ShownTraffic none;
  none.missing =
      "they need a second pass over the capture, and this one cannot be read twice; write it to a file first";
  return none;
}

// Names `source` as the input if the data are from standard input.
void name_input(FileResults& run, const std::string& source) {
  const auto name = [&](std::string& file) {
    if (file == "-" || file == "standard input") file = source;
  };
  for (auto& one : run.results.inputs) name(one.name);
  for (auto* const problems : {&run.results.problems, &run.incomplete})
    for (InputProblem& one : *problems) name(one.file);
}

// The relay knows better than its recording why nothing was judged.
void explain_unused(FileResults& run, const InputProblem& why) {
  if (run.results.flows.empty() && run.incomplete.size() == 1) {
    run.incomplete.front() = why;
    run.results.problems.back() = why;
  }
}

// A dead responder is the reason why nothing was judged, unless the initiator has broken a rule: then the responder may
// have had good reason not to answer.
Gate gate_of(const Deliverables& deliverables, const FileResults& run, bool is_peer_lost) {
  const RunEnd end = run.incomplete.empty() ? RunEnd::complete : RunEnd::input_unreadable;
  Gate gate = deliverables.gate(run.results, end);
  return is_peer_lost && gate.status != ExitStatus::failed ? deliverables.gate(run.results, RunEnd::peer_lost) : gate;
}

}  // namespace

int judge_captures(CheckCommand command) {
  auto options = understand(command.capture);
  if (!options) return complain(options.error());
  options->as_they_come = command.is_live();
  const auto shard = understand_shard(command.shard);
  if (!shard) return complain(shard.error());
  if (!shard->is_all() && command.output.update)
    return complain(
        "--update: a shard is no baseline; `wirelaw merge --baseline FILE --update` writes it from all shards");
  options->shard = *shard;
  std::vector<NamedFile> inputs, others;
  for (const std::string& file : command.capture.files) inputs.push_back({"the capture", file});
  for (const std::string& file : {command.pcapng, command.recording})
    if (!file.empty()) others.push_back({"--pcapng", file});
  const auto deliverables = Deliverables::prepare(command.output, std::move(inputs), others);
  if (!deliverables) return complain(deliverables.error());
  if (!command.pcapng.empty())
    if (const std::string trouble = trouble_with_pcapng(command); !trouble.empty()) return complain(trouble);

  const auto scripts = ScriptInputs::of(command.capture.files);
  if (!scripts) return complain(scripts.error());
  Progress progress(command.capture.files);
  FileWatcher watcher;
  if (progress.shown()) watcher.progress = [&](const pcap::Counts& counts) { progress.update(counts); };
  if (command.is_live()) say_findings_at_once(watcher);
  FileResults run = check_files_by(command.jobs, command.capture.files, *options, watcher);
  if (command.is_live()) name_input(run, command.source);
  scripts->name(run);
  progress.clear();

  int annotated = 0;
  if (!command.pcapng.empty() && run.results.inputs[0].frames > 0) {
    if (const auto written = annotate(command.capture.files[0], command.pcapng, run.results.findings); !written)
      annotated = cannot_write(written.error(), command.pcapng == "-");
  }
  const RelayEnd relay = command.relay_end ? command.relay_end() : RelayEnd{};
  if (!relay.deeds.empty() && !run.results.inputs.empty())
    run.results.inputs[0].why += fmt::format("; the relay itself {}", relay.deeds);
  if (relay.unused) explain_unused(run, *relay.unused);
  if (!relay.is_peer_lost)  // else it is why nothing was judged
    for (const InputProblem& one : run.incomplete) complain(one_line(one));
  if (const auto trouble = deliverables->trouble_with_baseline(protocols_of(run.results)); !trouble.empty())
    return complain(trouble);
  const Gate gate = gate_of(*deliverables, run, relay.is_peer_lost);
  ShownTraffic evidence;
  if (deliverables->show_conversations()) evidence = evidence_of(command, *options, run);
  evidence.input_of_finding = run.input_of_finding;
  std::optional<ShardNote> note;
  if (run.share) note = {to_string(*shard), shard_object(*shard, run_of(command.capture), *run.share)};
  return deliverables->deliver(run.results, gate, annotated, &evidence, note ? &*note : nullptr);
}

namespace {

int run(CheckCommand& command) {
  command.source = command.live.interface;
  if (!command.is_live()) {
    if (command.capture.files.empty())
      return complain("FILE is required: captures to judge, or - for standard input, or --live INTERFACE");
    return judge_captures(command);
  }
  if (!command.capture.files.empty()) return complain("--live: takes no FILE; it judges the traffic on the interface");
  if (!command.pcapng.empty())
    return complain("--pcapng: takes exactly one FILE, and reads it twice; live traffic cannot be read twice");
  if (command.jobs > 1 || !command.shard.empty())
    return complain("--live: cannot be combined with --jobs or --shard: one process judges an interface");
  if (const auto options = understand(command.capture); !options) return complain(options.error());
  command.capture.files = {"-"};
  return judge_live(command.live, [&] { return judge_captures(command); });
}

}  // namespace

void add_check(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("check", "Judge captures against their specifications");
  auto command = std::make_shared<CheckCommand>();  // lives as long as the callback that CLI11 copies
  add_capture_options(*app, command->capture);
  app->get_option("FILE")->required(false);
  add_option(*app, "--pcapng", command->pcapng, "Write the capture back with the findings as packet comments")
      ->type_name("FILE");
  add_option(*app, "--jobs", command->jobs, "Number of processes; the results are the same (default 1)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, kMostJobs).description(""));
  add_shard_option(*app, command->shard,
                   "Judge only this shard of the flows, e.g. 2/8; `wirelaw merge` joins all N results");
  add_live_options(*app, command->live);
  add_output_options(*app, command->output);
  app->footer(std::string(kExamples) + std::string(kExitStatuses));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
