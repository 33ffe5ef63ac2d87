// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/output_options.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "harness/commands/command.h"
#include "harness/commands/evidence_folder.h"
#include "harness/commands/options.h"
#include "harness/commands/provenance.h"
#include "harness/commands/subject.h"
#include "harness/commands/suggest.h"
#include "harness/commands/waiver_file.h"
#include "reports/bottom_line.h"
#include "reports/printable.h"
#include "reports/result_file.h"

namespace wirelaw {
namespace {

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const ReportFormat& format : report_formats()) names.emplace_back(format.name);
  return names;
}

tl::expected<const ReportFormat*, std::string> format_named(const std::string& name) {
  if (const ReportFormat* format = find_report_format(name)) return format;
  return tl::make_unexpected(fmt::format("--format: unknown format '{}'{}; known: {}", printable(name),
                                         suggestion(name, format_names()), fmt::join(format_names(), ", ")));
}

// A wrong path is reported now; a full disk can only be reported later.
std::string trouble_with(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) return fmt::format("{}: is a directory; name a file in it", printable(file));
  const fs::path folder = fs::path(file).has_parent_path() ? fs::path(file).parent_path() : fs::path(".");
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)) return {};
  if (::access(folder.c_str(), W_OK) == 0) return {};
  return fmt::format("{}: cannot be written: the folder {} {}", printable(file), printable(folder.string()),
                     fs::is_directory(folder, ignored) ? "is not writable" : "does not exist; create it first");
}

// Standard output, a pipe, or a device.
bool is_stream(const std::string& file) {
  std::error_code ignored;
  return file.empty() || (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored));
}

}  // namespace

void add_output_options(CLI::App& command, OutputOptions& options) {
  options.app = &command;
  constexpr const char* kGroup = "Results";
  add_option(command, "--format", options.formats, "Format of the results; repeatable, each with its own -o")
      ->type_name(fmt::format("{}", fmt::join(format_names(), "|")))
      ->allow_extra_args(false)
      ->group(kGroup);
  add_option(command, "-o,--output", options.files,
             "Write the preceding --format to this file (default: standard output)")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(kGroup);
  const auto add_file = [&](const char* name, std::string& file, const char* description) {
    add_option(command, name, file, description)->type_name("FILE")->group(kGroup);
  };
  add_file("--html", options.html, "Also write a self-contained HTML page with verdicts, conversations and octets");
  add_file("--junit", options.junit, "Also write JUnit XML, for the test pages of CI systems");
  add_file("--sarif", options.sarif, "Also write SARIF 2.1.0, for code scanning");
  add_file("--markdown", options.markdown, "Also write a summary in Markdown, for the pages of CI jobs");
  add_flag(command, "--github", options.github, "Also print annotations for the log of a GitHub workflow")
      ->group(kGroup);
  add_flag(command, "--provenance", options.provenance,
           "Also report the command, when and where it ran, and the SHA-256 of its input files")
      ->group(kGroup);
  add_option(command, "--baseline", options.baseline, "Ignore failures that are already in this JSON result")
      ->type_name("FILE")
      ->group(kGroup);
  add_flag(command, "--update", options.update,
           "Write this run's result to the --baseline file, and accept its failures")
      ->group(kGroup);
  add_option(command, "--waivers", options.waivers, "Known failures, accepted until a date (TOML)")
      ->type_name("FILE")
      ->group(kGroup);
  add_option(command, "--fail-on", options.fail_on, "Lowest level of rule that fails the run (default must)")
      ->type_name("must|should")
      ->check(one_of({"must", "should"}))
      ->group(kGroup);
  add_option(command, "--max-findings", options.max_findings,
             "Findings of each kind that the text format prints in full; 0: all (default 1)")
      ->type_name("N")
      ->group(kGroup);
  add_flag(command, "-q,--quiet", options.quiet, "Print only the last line; nothing if all results go to files")
      ->group(kGroup);
  add_flag(command, "-v,--verbose", options.verbose,
           "Also print every case and flow, coverage by section, and the rules that were not exercised")
      ->group(kGroup);
  add_option(command, "--color", options.colour, "Colour the text; auto: on a terminal, unless NO_COLOR is set")
      ->type_name("auto|always|never")
      ->check(one_of({"auto", "always", "never"}))
      ->group(kGroup);
}

void add_inconclusive_option(CLI::App& command, OutputOptions& options) {
  add_option(command, "--max-inconclusive", options.max_inconclusive,
             "Exit status 2 if more than this share of the cases is inconclusive (default 50)")
      ->type_name("PERCENT")
      ->check(CLI::Range(0u, 100u).description(""))
      ->group("Results");
}

tl::expected<Deliverables, std::string> Deliverables::prepare(const OutputOptions& options,
                                                              std::vector<NamedFile> inputs,
                                                              const std::vector<NamedFile>& others) {
  Deliverables all;
  std::size_t format_at = 0, file_at = 0;
  for (const CLI::Option* option : options.app->parse_order()) {
    if (option->check_lname("format")) {
      const auto format = format_named(options.formats.at(format_at++));
      if (!format) return tl::make_unexpected(format.error());
      all.targets_.push_back({*format, {}});
    } else if (option->check_lname("output")) {
      const std::string& file = options.files.at(file_at++);
      if (const std::string trouble = trouble_with(file); file != "-" && !trouble.empty())
        return tl::make_unexpected(trouble);
      if (all.targets_.empty() || !all.targets_.back().file.empty())
        all.targets_.push_back({find_report_format("text"), {}});
      all.targets_.back().file = file;
    }
  }
  if (all.targets_.empty()) all.targets_.push_back({find_report_format("text"), "-"});
  if (const auto added = all.add_by_name(options); !added) return tl::make_unexpected(added.error());
  for (Target& target : all.targets_)
    if (target.file == "-") target.file.clear();
  if (std::ranges::count_if(all.targets_, [](const Target& one) { return one.file.empty() && !one.beside; }) > 1)
    return tl::make_unexpected("two formats would both go to standard output; give each its own -o FILE");
  const bool by_default = options.formats.empty() && options.files.empty();
  const bool taken = std::ranges::any_of(others, [](const NamedFile& one) { return one.path == "-"; });
  if (taken) all.for_people_ = STDERR_FILENO;
  std::vector<NamedFile> outputs = others;
  for (const Target& target : all.targets_)
    if (!target.beside && (!(by_default && target.file.empty()) || !taken))
      outputs.push_back({"-o", target.file.empty() ? std::string("-") : target.file});
  if (options.update && !options.baseline.empty())
    outputs.push_back({"--baseline", options.baseline});
  else if (!options.baseline.empty())
    inputs.push_back({"the baseline", options.baseline});
  if (!options.waivers.empty()) inputs.push_back({"the waivers", options.waivers});
  if (options.provenance) all.started_ = now_in_words();
  all.read_ = inputs;
  if (const auto trouble = overwritten(inputs, outputs)) return tl::make_unexpected(*trouble);
  if (options.update && options.baseline.empty())
    return tl::make_unexpected("--update: name the file that it writes with --baseline FILE");
  all.updates_baseline_ = options.update;
  if (options.update) {
    if (const std::string trouble = trouble_with(options.baseline); !trouble.empty())
      return tl::make_unexpected(trouble);
    all.baseline_file_ = options.baseline;
  } else if (!options.baseline.empty()) {
    std::error_code ignored;
    if (!std::filesystem::exists(options.baseline, ignored))
      return tl::make_unexpected(fmt::format("--baseline {}: there is no such file; --update writes it from this run",
                                             printable(options.baseline)));
    auto baseline = read_baseline(options.baseline);
    if (!baseline) return tl::make_unexpected("--baseline " + baseline.error());
    all.baseline_ = std::move(*baseline);
    all.baseline_file_ = options.baseline;
  }
  if (!options.waivers.empty()) {
    auto waivers = read_waivers(options.waivers);
    if (!waivers) return tl::make_unexpected("--waivers " + waivers.error());
    all.waivers_ = std::move(*waivers);
  }
  all.fail_on_ = options.fail_on == "should" ? FailOn::should : FailOn::must;
  all.max_inconclusive_ = options.max_inconclusive;
  all.style_ = {.colour = wants_colour(options.colour, all.for_people_),
                .quiet = options.quiet,
                .verbose = options.verbose,
                .width = columns_of(all.for_people_),
                .max_findings = options.max_findings};
  return all;
}

tl::expected<void, std::string> Deliverables::add_by_name(const OutputOptions& options) {
  for (const auto& [format, file] : {std::pair{"html", &options.html}, std::pair{"junit", &options.junit},
                                     std::pair{"sarif", &options.sarif}, std::pair{"markdown", &options.markdown}}) {
    if (file->empty()) continue;
    if (const std::string trouble = trouble_with(*file); *file != "-" && !trouble.empty())
      return tl::make_unexpected(trouble);
    targets_.push_back({find_report_format(format), *file});
  }
  if (options.github) targets_.push_back({find_report_format("github"), {}, /*beside=*/true});
  return {};
}

EvidenceNeed Deliverables::need() const {
  EvidenceNeed most = EvidenceNeed::none;
  for (const Target& one : targets_) most = std::max(most, one.format->needs);
  return most;
}

Gate Deliverables::gate(const Results& results, RunEnd end, int signal) const {
  return gate_of_shard(results, end_with_bound(end, results, max_inconclusive_), signal);
}

std::string Deliverables::trouble_with_baseline(const std::set<std::string>& protocols) const {
  if (!baseline_ || !are_of_other_protocols(baseline_->protocols, protocols)) return {};
  return fmt::format(
      "--baseline {}: the baseline is a result of {}, but this run is of {}; name a baseline of the same protocol",
      printable(baseline_file_), fmt::join(baseline_->protocols, ", "), fmt::join(protocols, ", "));
}

Gate Deliverables::gate_of_shard(const Results& results, RunEnd end, int signal) const {
  std::optional<Baseline> updated;
  if (updates_baseline_ && end == RunEnd::complete) updated = baseline_of(results);
  const Baseline* const baseline = updated ? &*updated : baseline_ ? &*baseline_ : nullptr;
  if (!waivers_) return gate_of(results, fail_on_, end, baseline, signal);
  const WaiversToday waivers{*waivers_, today()};
  return gate_of(results, fail_on_, end, baseline, signal, &waivers);
}

tl::expected<Output, int> Deliverables::write(const Report& report, const Target& target) const {
  const std::string_view people = for_people_ == STDOUT_FILENO ? "standard output" : "standard error";
  auto out =
      target.file.empty() ? Output::to_descriptor(for_people_, std::string(people)) : Output::to_file(target.file);
  if (!out) return tl::make_unexpected(complain(out.error()));
  Report styled = report;
  if (!target.file.empty()) styled.style = {.verbose = report.style.verbose, .max_findings = report.style.max_findings};
  target.format->write(styled, *out);
  if (const auto there = out->sync(); !there)
    return tl::make_unexpected(cannot_write(there.error(), target.file.empty()));
  return std::move(*out);
}

int Deliverables::deliver(const Results& results, Gate gate, int unwritten, const ShownTraffic* evidence,
                          const ShardNote* shard) const {
  // If nothing could be read, the text report contains only the problems.
  const bool nothing_read = gate.end == RunEnd::input_unreadable && results.runs.empty() &&
                            std::ranges::all_of(results.inputs, [](const Input& one) { return one.frames == 0; });
  if (unwritten != 0) note_output_failed(gate);
  std::optional<RunProvenance> provenance;
  if (!started_.empty()) provenance = provenance_of(started_, read_);
  const std::string subject = subject_of(results);
  const auto report_of = [&] {
    return Report{.results = results,
                  .gate = gate,
                  .version = version(),
                  .style = style_,
                  .evidence = evidence,
                  .shard = shard,
                  .commit = commit(),
                  .provenance = provenance ? &*provenance : nullptr,
                  .subject = subject};
  };
  // Files are written first, and again if one of them fails: each states the exit status of the program, and the text
  // report, which comes last, knows everything. A stream cannot be written again.
  std::vector<const Target*> files, streams;
  const Target updated{find_report_format("json"), baseline_file_};
  if (updates_baseline_ && gate.end == RunEnd::complete) files.push_back(&updated);
  for (const Target& target : targets_) (is_stream(target.file) ? streams : files).push_back(&target);
  std::stable_partition(streams.begin(), streams.end(), [](const Target* one) { return !one->file.empty(); });
  std::vector<Output> written;
  while (const Target* const failed = write_all(report_of(), files, written, unwritten)) {
    std::erase(files, failed);
    note_output_failed(gate);
  }
  const auto note = [&](int status) {
    // If two outputs failed, report the file: the reader of standard output has gone.
    if (status != 0 && unwritten != static_cast<int>(ExitStatus::misused)) unwritten = status;
    if (status != 0) note_output_failed(gate);
  };
  for (Output& out : written) note(finish(out));
  const auto print = [&](const Target& target, bool quiet) {
    Report report = report_of();
    report.style.quiet = quiet;
    auto out = write(report, target);
    note(out ? finish(*out) : out.error());
  };
  for (const Target* target : streams)
    if (!target->file.empty() || target->format->name != "text" || !(nothing_read || unwritten == kReaderGone))
      print(*target, style_.quiet);
  const bool is_said =
      std::ranges::any_of(streams, [](const Target* one) { return one->file.empty() && !one->beside; });
  if (!is_said && !style_.quiet && !nothing_read && unwritten != kReaderGone)
    print({find_report_format("text"), {}}, true);
  if (updates_baseline_) tell_of_update(results, gate, std::ranges::count(files, &updated) > 0);
  return unwritten == 0 ? static_cast<int>(gate.status) : unwritten;
}

void Deliverables::tell_of_update(const Results& results, const Gate& gate, bool is_written) const {
  if (!is_written) {
    complain(fmt::format(
        "--update: {} is as it was: {}", printable(baseline_file_),
        gate.end == RunEnd::complete ? "it could not be written" : "this run did not come to a complete result"));
    return;
  }
  const Baseline baseline = baseline_of(results);
  if (!style_.quiet)
    complain(fmt::format("{} written: a baseline that accepts {} and {} that fail", printable(baseline_file_),
                         counted(baseline.failed_rules.size(), "rule"), counted(baseline.failed_cases.size(), "case")));
}

// No file has appeared yet. Returns the output that cannot be written, with its status; nullptr if all can.
const Deliverables::Target* Deliverables::write_all(const Report& report, const std::vector<const Target*>& files,
                                                    std::vector<Output>& written, int& status) const {
  written.clear();
  for (const Target* const target : files) {
    auto out = write(report, *target);
    if (!out) {
      status = out.error();
      return target;
    }
    written.push_back(std::move(*out));
  }
  return nullptr;
}

bool wants_colour(const std::string& when, int descriptor) {
  if (when != "auto") return when == "always";
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal && std::string_view(terminal) == "dumb";
  return ::isatty(descriptor) == 1 && !(no_colour && *no_colour) && !dumb;
}

std::size_t columns_of(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return TextStyle{}.width;
  return size.ws_col;
}

}  // namespace wirelaw
