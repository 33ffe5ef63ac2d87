// SPDX-License-Identifier: Apache-2.0
// wirelaw decode: messages for people.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "harness/check_files.h"
#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/output_options.h"
#include "reference/octets/hex.h"
#include "reports/printable.h"
#include "reports/text.h"
#include "reports/text_style.h"

namespace wirelaw {
namespace {

constexpr std::string_view kExamples =
    "A line tells frame, seconds since the first message, sender and receiver, protocol, octets, and what it says;\n"
    "lines with ! are findings about the message before.\n\n"
    "Examples:\n"
    "  wirelaw decode trace.pcapng\n"
    "  wirelaw decode -V -x trace.pcap | less\n"
    "  wirelaw decode --decode-as udp.port=7001,ramcloud --rule 'RAMCLOUD-ack-*' trace.pcap\n\n"
    "Exit status: 0 all was read, whatever was found in it; 2 wrong use, unreadable input, or output that could not\n"
    "be written. `wirelaw check` is what fails where a rule failed.\n";

struct DecodeCommand {
  CaptureOptions capture;
  std::string colour = "auto";
  bool fields = false;
  bool hex = false;
};

class Printer {
 public:
  Printer(const DecodeCommand& command, Output& out)
      : command_(command), out_(out), paint_{wants_colour(command.colour, STDOUT_FILENO)} {}

  void print(const pcap::Datagram& datagram, const Flow& flow) {
    if (!began_) start_ns_ = datagram.time_ns;
    began_ = true;
    put_message(datagram, flow);
    if (command_.hex) out_.print("{}\n", hex_dump(datagram.payload));
  }
  void print(const std::vector<Finding>& findings) {
    for (const Finding& one : findings)
      out_.print("      {} {}\n", paint_(one.severity == Severity::warning ? Colour::yellow : Colour::red, "!"),
                 one_line(one));
  }
  void end_file() { began_ = false; }

 private:
  void put_message(const pcap::Datagram& datagram, const Flow& flow) {
    const Decoded decoded = flow.protocol ? flow.protocol->decode(datagram.payload)
                                          : Decoded{.summary = "not recognised", .fields = {}, .error = {}};
    out_.print("{:>6} {:>12.6f} {} → {} {} {} {}{}\n", datagram.frame,
               static_cast<double>(datagram.time_ns - start_ns_) * 1e-9, pcap::to_string(datagram.source),
               pcap::to_string(datagram.destination), flow.protocol ? flow.protocol->name : "udp", datagram.wire_length,
               printable(decoded.summary),
               datagram.wire_length > datagram.payload.size()
                   ? fmt::format(" [{} octets captured]", datagram.payload.size())
                   : std::string());
    if (!decoded.error.empty()) out_.print("      malformed: {}\n", printable(decoded.error));
    if (!command_.fields) return;
    for (const Field& field : decoded.fields)
      out_.print("      {:<32} {}  [{}+{}]\n", field.name, printable(field.value), field.offset, field.length);
  }

  const DecodeCommand& command_;
  Output& out_;
  Paint paint_;
  std::int64_t start_ns_ = 0;
  bool began_ = false;
};

// Shown as they come, so every one of them is kept until it is printed.
constexpr JudgeLimits kNoLimits{.findings_per_rule_and_flow = JudgeLimits::kUnlimited,
                                .findings = JudgeLimits::kUnlimited};

int run(const DecodeCommand& command) {
  auto options = understand(command.capture);
  if (!options) return complain(options.error());
  options->judge = kNoLimits;
  Output out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  Printer printer(command, out);
  const auto show = [&](const pcap::Datagram* datagram, const Flow* flow, Checker& checker) {
    if (datagram)
      printer.print(*datagram, *flow);
    else
      printer.end_file();
    if (!checker.judge().findings().empty()) printer.print(checker.judge().take_findings());
    return !out.failed();
  };
  const FileResults run = check_files(command.capture.files, *options, {.progress = {}, .judged = show});
  const auto written = out.commit();
  for (const InputProblem& one : run.results.problems) complain(one_line(one));
  if (!written) return complain(written.error());
  return static_cast<int>(run.incomplete.empty() ? ExitStatus::passed : ExitStatus::misused);
}

}  // namespace

void add_decode(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("decode", "Print the messages of captures, with findings inline");
  auto command = std::make_shared<DecodeCommand>();  // lives as long as the callback that CLI11 copies
  add_capture_options(*app, command->capture);
  app->add_flag("-V,--fields", command->fields, "Print each field, in the words of the Wireshark dissector");
  app->add_flag("-x,--hex", command->hex, "Print the octets");
  app->add_option("--color", command->colour, "Colours; auto: on a terminal, unless NO_COLOR is set")
      ->type_name("auto|always|never")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""));
  app->footer(std::string(kExamples));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
