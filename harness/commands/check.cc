// SPDX-License-Identifier: Apache-2.0
// wirelaw check: judges captures.
#include <fmt/format.h>

#include <memory>

#include "harness/check/check_files.h"
#include "harness/commands/annotate.h"
#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/commands/output_options.h"
#include "harness/commands/progress.h"
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

int run(const CheckCommand& command) {
  const auto options = understand(command.capture);
  if (!options) return complain(options.error());
  const auto deliverables = Deliverables::prepare(command.output);
  if (!deliverables) return complain(deliverables.error());
  if (!command.pcapng.empty() && (command.capture.files.size() != 1 || command.capture.files[0] == "-"))
    return complain("--pcapng: takes exactly one FILE, which is read twice; standard input cannot be");

  Progress progress(command.capture.files);
  FileWatcher watcher;
  if (progress.shown()) watcher.progress = [&](const pcap::Counts& counts) { progress.update(counts); };
  const FileResults run = check_files(command.capture.files, *options, watcher);
  progress.clear();

  int annotated = 0;
  if (!command.pcapng.empty() && run.results.inputs[0].frames > 0) {
    if (const auto written = annotate(command.capture.files[0], command.pcapng, run.results.findings); !written)
      annotated = cannot_write(written.error(), command.pcapng == "-");
  }
  for (const InputProblem& one : run.incomplete) complain(one_line(one));
  const int status =
      deliverables->deliver(run.results, run.incomplete.empty() ? RunEnd::complete : RunEnd::input_unreadable);
  return annotated == 0 ? status : annotated;
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
