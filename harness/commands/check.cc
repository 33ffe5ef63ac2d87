// SPDX-License-Identifier: Apache-2.0
// wirelaw check: judges captures.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "harness/check/check_files.h"
#include "harness/commands/annotate.h"
#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/evidence.h"
#include "harness/commands/options.h"
#include "harness/commands/output_options.h"
#include "harness/commands/progress.h"
#include "reports/printable.h"
#include "reports/text.h"

namespace wirelaw {
namespace {

constexpr std::string_view kExamples =
    "Examples:\n"
    "  wirelaw check trace.pcapng\n"
    "  wirelaw check --decode-as udp.port=7001,ramcloud --iut 192.0.2.1:7001 trace.pcap\n"
    "  tcpdump -w - udp port 7001 | wirelaw check -\n"
    "  wirelaw check --format json -o result.json --format junit -o result.xml *.pcap\n"
    "  wirelaw check --baseline result.json new.pcap      only what is new fails the run\n"
    "  wirelaw check --pcapng evidence.pcapng trace.pcap  findings as packet comments for Wireshark\n\n";

struct CheckCommand {
  CaptureOptions capture;
  OutputOptions output;
  std::string pcapng;
};

// --pcapng needs the capture twice. Empty where it can be had, and the results go elsewhere.
std::string trouble_with_pcapng(const CheckCommand& command) {
  const std::vector<std::string>& files = command.capture.files;
  std::error_code ignored;
  if (files.size() != 1 || files[0] == "-")
    return "--pcapng: takes exactly one FILE, which is read twice; standard input cannot be";
  if (std::filesystem::exists(files[0], ignored) && !std::filesystem::is_regular_file(files[0], ignored))
    return fmt::format("--pcapng: {} is no regular file, and a capture is read twice; write it to a file first",
                       printable(files[0]));
  return {};
}

ShownTraffic evidence_of(const CheckCommand& command, const CheckOptions& options, const Results& results,
                         const FindingPlaces& places) {
  const std::vector<std::string>& files = command.capture.files;
  if (std::ranges::any_of(files, [](const std::string& one) { return can_be_read_twice(std::span(&one, 1)); }))
    return wirelaw::evidence_of(files, options, results, places.inputs_of(results));
  ShownTraffic none;
  none.missing = "for them a capture is read twice, which this one cannot be; write it to a file first";
  return none;
}

int run(const CheckCommand& command) {
  const auto options = understand(command.capture);
  if (!options) return complain(options.error());
  std::vector<NamedFile> inputs, others;
  for (const std::string& file : command.capture.files) inputs.push_back({"the capture", file});
  if (!command.pcapng.empty()) others.push_back({"--pcapng", command.pcapng});
  const auto deliverables = Deliverables::prepare(command.output, std::move(inputs), others);
  if (!deliverables) return complain(deliverables.error());
  if (!command.pcapng.empty())
    if (const std::string trouble = trouble_with_pcapng(command); !trouble.empty()) return complain(trouble);

  Progress progress(command.capture.files);
  FileWatcher watcher;
  if (progress.shown()) watcher.progress = [&](const pcap::Counts& counts) { progress.update(counts); };
  FindingPlaces places;
  places.watch(watcher);
  const FileResults run = check_files(command.capture.files, *options, watcher);
  progress.clear();

  int annotated = 0;
  if (!command.pcapng.empty() && run.results.inputs[0].frames > 0) {
    if (const auto written = annotate(command.capture.files[0], command.pcapng, run.results.findings); !written)
      annotated = cannot_write(written.error(), command.pcapng == "-");
  }
  for (const InputProblem& one : run.incomplete) complain(one_line(one));
  const RunEnd end = run.incomplete.empty() ? RunEnd::complete : RunEnd::input_unreadable;
  ShownTraffic evidence;
  if (deliverables->show_conversations()) evidence = evidence_of(command, *options, run.results, places);
  evidence.input_of_finding = places.inputs_of(run.results);
  return deliverables->deliver(run.results, deliverables->gate(run.results, end), annotated, &evidence);
}

}  // namespace

void add_check(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("check", "Judge captures against the specification");
  auto command = std::make_shared<CheckCommand>();  // lives as long as the callback that CLI11 copies
  add_capture_options(*app, command->capture);
  add_option(*app, "--pcapng", command->pcapng, "Write the capture back with the findings as packet comments")
      ->type_name("FILE");
  add_output_options(*app, command->output);
  app->footer(std::string(kExamples) + std::string(kExitStatuses));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
