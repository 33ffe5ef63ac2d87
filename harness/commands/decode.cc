// SPDX-License-Identifier: Apache-2.0
// wirelaw decode: prints the messages of captures.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "harness/check/check_files.h"
#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/decode_script.h"
#include "harness/commands/evidence.h"
#include "harness/commands/late_findings.h"
#include "harness/commands/options.h"
#include "harness/commands/output_options.h"
#include "harness/commands/script_inputs.h"
#include "reference/octets/hex.h"
#include "reports/printable.h"
#include "reports/text.h"
#include "reports/text_style.h"

namespace wirelaw {
namespace {

constexpr std::string_view kExamples =
    R"(A line has the frame number, seconds since the first message, sender and receiver, protocol, octets, a summary,
and the tags and tunnels around the frame, such as [carried in vxlan vni 42]. Lines with ! are findings about the
message above, or about the frame that they name. A message is a datagram, or a message that a protocol over TCP forms
from its stream.

Examples:
  wirelaw decode trace.pcapng
  wirelaw decode -V -x trace.pcap | less
  wirelaw decode --decode-as udp.port=7001,ramcloud --rule 'RAMCLOUD-ack-*' trace.pcap
  wirelaw decode --decode-as tcp.port=7175,rdmap trace.pcapng
  wirelaw decode --format script --iut 192.0.2.2:7001 trace.pcapng > trace.wirelaw

Exit status: 0 each file was read to its end, whatever it contained; 2 wrong use, a file that could not be read, or
output that could not be written. To fail if a rule failed, use `wirelaw check`.
)";

struct DecodeCommand {
  CaptureOptions capture;
  std::string colour = "auto";
  std::string format = "text";
  std::uint64_t flow = 0;
  bool fields = false;
  bool hex = false;
};

constexpr std::size_t kMostName = 64;  // the name of an exported PDU's dissector

// The tags and tunnels of the latest frames that had any: a message may have begun some frames ago.
class CarriersOfFrames {
 public:
  void note(std::uint64_t frame, const pcap::Carriers* carriers) {
    if (carriers == nullptr) return;
    if (texts_.size() == kMost) texts_.erase(texts_.begin());
    texts_.insert_or_assign(frame, carriers->text());
  }
  std::string of(std::uint64_t frame) const {
    const auto found = texts_.find(frame);
    return found == texts_.end() ? std::string() : fmt::format(" [carried in {}]", found->second);
  }
  void clear() { texts_.clear(); }

 private:
  static constexpr std::size_t kMost = 4096;
  std::map<std::uint64_t, std::string> texts_;
};

class Printer {
 public:
  Printer(const DecodeCommand& command, Output& out, LateFindings& late, bool is_first_reading)
      : command_(command),
        out_(out),
        late_(late),
        is_first_reading_(is_first_reading),
        paint_{wants_colour(command.colour, STDOUT_FILENO)} {}

  void note(const pcap::Datagram* datagram, const pcap::Segment* segment) {
    if (is_first_reading_) return;
    if (datagram != nullptr) carriers_.note(datagram->frame, datagram->carriers);
    if (segment != nullptr) carriers_.note(segment->frame, segment->carriers);
  }
  void print(const Message& message, const Flow& flow) {
    const bool from_a = message.sender == Side::a;
    print({.protocol = &flow.judged.protocol_of(message),
           .frame = message.frame,
           .time_ns = message.time_ns,
           .source = from_a ? flow.a : flow.b,
           .destination = from_a ? flow.b : flow.a,
           .octets = message.octets,
           .wire_length = message.wire_length,
           .number = message.index + 1},
          flow);
  }
  void print(const pcap::Datagram& datagram, const Flow& flow) {
    Line line = line_of(datagram, flow);
    line.number = flow.messages;
    line.called = datagram.dissector;
    if (is_foreign(flow, datagram)) line.protocol = nullptr;
    print(line, flow);
  }
  // Prints a segment that is not part of a judged stream.
  void print(const pcap::Segment& segment, const Flow& flow) { print(line_of(segment, flow), flow); }
  // Prints the findings since the last line. A finding about another message names it, unless it was printed there.
  void print(const std::vector<Finding>& findings) {
    for (const Finding& one : findings) {
      if (last_ && last_->is_of(one))
        print(one);
      else if (is_first_reading_)
        late_.collect(file_, one);
      else if (!late_.is_placed(one, last_))
        print(one);
    }
  }
  void end_file() {
    close_line(nullptr);
    last_.reset();
    began_ = false;
    carriers_.clear();
    ++file_;
  }

 private:
  void print(const Finding& one) {
    if (is_first_reading_) return;
    const bool elsewhere = one.frame > 0 && (!last_ || one.frame != last_->frame);
    out_.print("      {} {}{}\n", paint_(one.severity == Severity::warning ? Colour::yellow : Colour::red, "!"),
               elsewhere ? fmt::format("frame {}: ", one.frame) : "", one_line(one));
  }
  // Prints the later findings that belong to this line.
  void close_line(const PrintedLine* next) {
    if (is_first_reading_) return;
    const bool is_last_of_frame = next == nullptr || !last_ || next->frame != last_->frame;
    if (last_)
      for (const Finding& one : late_.take(*last_, is_last_of_frame)) print(one);
    const std::uint64_t coming = next == nullptr ? std::numeric_limits<std::uint64_t>::max() : next->frame;
    for (const Finding& one : late_.waited_in_vain(coming)) print(one);
  }

  struct Line {
    const Protocol* protocol;  // nullptr: the message is not of the flow's protocol, or that is unknown
    std::uint64_t frame;
    std::int64_t time_ns;
    const pcap::Endpoint& source;
    const pcap::Endpoint& destination;
    Octets octets;
    std::size_t wire_length;
    std::string_view called = {};  // the dissector of an exported PDU, as stated by its capture
    std::uint64_t number = 0;      // in its flow, from 1; 0: it is not judged
  };

  template <class Packet>
  static Line line_of(const Packet& packet, const Flow& flow) {
    return {.protocol = flow.judged.protocol(),
            .frame = packet.frame,
            .time_ns = packet.time_ns,
            .source = packet.source,
            .destination = packet.destination,
            .octets = packet.payload,
            .wire_length = packet.wire_length};
  }

  void print(const Line& line, const Flow& flow) {
    PrintedLine next{.file = file_, .frame = line.frame, .number = line.number, .flow = flow.judged.names().id};
    close_line(&next);
    last_ = std::move(next);
    if (is_first_reading_) return;
    if (!began_) start_ns_ = line.time_ns;
    began_ = true;
    put_message(line, flow);
    if (command_.hex) out_.print("{}\n", hex_dump(line.octets));
  }
  void put_message(const Line& line, const Flow& flow) {
    const Protocol* const protocol = line.protocol;
    const Decoded decoded =
        protocol ? protocol->decode(line.octets)
                 : Decoded{.summary = line.called.empty() ? "not recognised"
                                                          : fmt::format("not recognised: the capture calls it '{}'",
                                                                        line.called.substr(0, kMostName)),
                           .fields = {},
                           .error = {}};
    out_.print("{:>6} {:>12.6f} {} → {} {} {} {}{}{}\n", line.frame,
               static_cast<double>(line.time_ns - start_ns_) * 1e-9, pcap::to_string(line.source),
               pcap::to_string(line.destination), protocol ? protocol->name : word_of(flow.transport), line.wire_length,
               printable(decoded.summary),
               line.wire_length > line.octets.size() ? fmt::format(" [{} octets captured]", line.octets.size())
                                                     : std::string(),
               carriers_.of(line.frame));
    if (!decoded.error.empty()) out_.print("      malformed: {}\n", printable(decoded.error));
    if (!command_.fields) return;
    for (const Field& field : decoded.fields)
      out_.print("      {:<32} {}  [{}+{}]\n", field.name, printable(field.value), field.offset, field.length);
  }

  const DecodeCommand& command_;
  Output& out_;
  LateFindings& late_;
  const bool is_first_reading_;  // which prints nothing
  std::optional<PrintedLine> last_;
  CarriersOfFrames carriers_;
  std::size_t file_ = 0;
  Paint paint_;
  std::int64_t start_ns_ = 0;
  bool began_ = false;
};

// Findings are shown immediately, so each is kept until it is printed.
constexpr JudgeLimits kNoLimits{.findings_per_rule_and_flow = JudgeLimits::kUnlimited,
                                .findings = JudgeLimits::kUnlimited};

// Flush each line: a reader may be waiting for it while the next frame has not arrived.
bool is_live(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode);
}

struct Reading {
  std::vector<InputProblem> problems;
  bool is_whole = true;  // each file was read to its end
};

Reading read(const std::vector<std::string>& files, const CheckOptions& options, Printer& printer, const Output& out) {
  Reading reading;
  const auto show_findings = [&](Checker& checker) {
    if (!checker.judge().findings().empty()) printer.print(checker.judge().take_findings());
  };
  const auto packet = [&](const pcap::Datagram* datagram, const pcap::Segment* segment) {
    printer.note(datagram, segment);
  };
  const auto found = [&](const Message& message, const Flow& flow, Checker& checker) {
    show_findings(checker);  // about the message before
    printer.print(message, flow);
  };
  const auto judged = [&](const pcap::Datagram* datagram, const pcap::Segment* segment, const Flow* flow,
                          Checker& checker) {
    if (datagram) printer.print(*datagram, *flow);
    if (segment && !flow->judged.protocol() && !segment->payload.empty()) printer.print(*segment, *flow);
    show_findings(checker);
    if (!flow) printer.end_file();
    return !out.failed();
  };
  const auto broken = [&](const InputProblem&) { reading.is_whole = false; };
  reading.problems = check_files(files, options, {.read = packet, .found = found, .judged = judged, .broken = broken})
                         .results.problems;
  return reading;
}

int run(DecodeCommand command) {
  auto options = understand(command.capture);
  if (!options) return complain(options.error());
  options->judge = kNoLimits;
  options->as_they_come = std::ranges::count(command.capture.files, "-") > 0 && is_live(STDIN_FILENO);
  const auto scripts = ScriptInputs::of(command.capture.files);
  if (!scripts) return complain(scripts.error());
  Output out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  if (command.format == "script") return decode_as_script(command.capture.files, *options, command.flow, out);
  LateFindings late;
  if (can_be_read_twice(command.capture.files)) {
    Printer collector(command, out, late, /*is_first_reading=*/true);
    read(command.capture.files, *options, collector, out);
  }
  Printer printer(command, out, late, /*is_first_reading=*/false);
  const Reading reading = read(command.capture.files, *options, printer, out);
  const int status = finish(out, static_cast<int>(reading.is_whole ? ExitStatus::passed : ExitStatus::misused));
  if (status != kReaderGone)
    for (InputProblem one : reading.problems) {
      one.file = scripts->name_of(one.file);
      complain(one_line(one));
    }
  return status;
}

}  // namespace

void add_decode(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("decode", "Print the messages of captures, with findings inline");
  auto command = std::make_shared<DecodeCommand>();  // lives as long as the callback that CLI11 copies
  add_capture_options(*app, command->capture);
  add_flag(*app, "-V,--fields", command->fields, "Print each field, with the names of the Wireshark dissector");
  add_flag(*app, "-x,--hex", command->hex, "Print the octets");
  add_option(*app, "--format", command->format,
             "text; script: the conversations as scripts, which `check` and `test --script` read (default text)")
      ->type_name("text|script")
      ->check(one_of({"text", "script"}));
  add_option(*app, "--flow", command->flow, "With --format script: only this flow, counted from 1")->type_name("N");
  add_option(*app, "--color", command->colour, "Colours; auto: on a terminal, unless NO_COLOR is set")
      ->type_name("auto|always|never")
      ->check(one_of({"auto", "always", "never"}));
  app->footer(std::string(kExamples));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
