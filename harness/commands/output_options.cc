// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/output_options.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/commands/suggest.h"
#include "reports/bottom_line.h"
#include "reports/printable.h"

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

// A mistake in a path is reported now; that the disk is full can only be reported later.
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

}  // namespace

void add_output_options(CLI::App& command, OutputOptions& options) {
  options.app = &command;
  constexpr const char* kGroup = "Results";
  add_option(command, "--format", options.formats, "How results are written; repeatable, each with its own -o")
      ->type_name(fmt::format("{}", fmt::join(format_names(), "|")))
      ->allow_extra_args(false)
      ->group(kGroup);
  add_option(command, "-o,--output", options.files, "Where the format before it goes; standard output without")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(kGroup);
  add_option(command, "--baseline", options.baseline, "Failures that this former JSON result had fail the run no more")
      ->type_name("FILE")
      ->group(kGroup);
  add_option(command, "--fail-on", options.fail_on, "The weakest level that fails the run (default must)")
      ->type_name("must|should")
      ->check(one_of({"must", "should"}))
      ->group(kGroup);
  add_option(command, "--max-findings", options.max_findings,
             "Findings printed by the text format; 0: all (default 50)")
      ->type_name("N")
      ->group(kGroup);
  add_flag(command, "-q,--quiet", options.quiet, "Print the bottom line alone; nothing where all results go to files")
      ->group(kGroup);
  add_option(command, "--color", options.colour, "Colours in text; auto: on a terminal, unless NO_COLOR is set")
      ->type_name("auto|always|never")
      ->check(one_of({"auto", "always", "never"}))
      ->group(kGroup);
}

tl::expected<Deliverables, std::string> Deliverables::prepare(const OutputOptions& options) {
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
  for (Target& target : all.targets_)
    if (target.file == "-") target.file.clear();
  if (std::ranges::count_if(all.targets_, [](const Target& one) { return one.file.empty(); }) > 1)
    return tl::make_unexpected("two formats would both go to standard output; give each its own -o FILE");
  for (std::size_t i = 0; i < all.targets_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!all.targets_[i].file.empty() && all.targets_[i].file == all.targets_[j].file)
        return tl::make_unexpected(
            fmt::format("{}: two formats would go to this file", printable(all.targets_[i].file)));
  if (!options.baseline.empty()) {
    auto baseline = read_baseline(options.baseline);
    if (!baseline) return tl::make_unexpected("--baseline " + baseline.error());
    all.baseline_ = std::move(*baseline);
  }
  all.fail_on_ = options.fail_on == "should" ? FailOn::should : FailOn::must;
  all.style_ = {.colour = wants_colour(options.colour, STDOUT_FILENO),
                .quiet = options.quiet,
                .width = columns_of(STDOUT_FILENO),
                .max_findings = options.max_findings};
  return all;
}

int Deliverables::write(const Report& report, const Target& target) const {
  auto out =
      target.file.empty() ? Output::to_descriptor(STDOUT_FILENO, "standard output") : Output::to_file(target.file);
  if (!out) return complain(out.error());
  Report styled = report;
  if (!target.file.empty()) styled.style = {.max_findings = report.style.max_findings};
  target.format->write(styled, *out);
  return finish(*out);
}

int Deliverables::deliver(const Results& results, RunEnd end) const {
  // Where there was nothing to read, the complaints are all that there is to report to people.
  const bool nothing_read = end == RunEnd::input_unreadable &&
                            std::ranges::all_of(results.inputs, [](const Input& one) { return one.frames == 0; });
  const Gate gate = gate_of(results, fail_on_, end, baseline_ ? &*baseline_ : nullptr);
  const Report report{results, gate, version(), style_};
  int unwritten = 0;
  const auto write_to = [&](const Report& text, const Target& target) {
    const int status = write(text, target);
    // Of two failures, that of a file is the one to report: the reader of standard output has gone.
    if (status != 0 && unwritten != static_cast<int>(ExitStatus::misused)) unwritten = status;
  };
  bool standard_output = false;
  for (const Target& target : targets_) {
    if (nothing_read && target.file.empty() && target.format->name == "text") continue;
    write_to(report, target);
    standard_output = standard_output || target.file.empty();
  }
  if (!standard_output && !style_.quiet && !nothing_read) {
    Report line = report;
    line.style.quiet = true;
    const ReportFormat* text = find_report_format("text");
    write_to(line, {text, {}});
  }
  return unwritten == 0 ? static_cast<int>(gate.status) : unwritten;
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
