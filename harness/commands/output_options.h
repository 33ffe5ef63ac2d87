// SPDX-License-Identifier: Apache-2.0
// Options for results and the exit status, shared by `check` and `test`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <set>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/commands/same_file.h"
#include "reports/report.h"

namespace wirelaw {

struct OutputOptions {
  std::vector<std::string> formats, files;   // as given; see add_output_options
  std::string html, junit, sarif, markdown;  // files of these formats
  bool github = false;
  bool provenance = false;
  std::string baseline;
  bool update = false;  // the baseline is written, not read
  std::string waivers;
  std::string fail_on = "must";
  unsigned max_inconclusive = kMaxInconclusive;  // percent of the cases
  std::string colour = "auto";
  std::size_t max_findings = TextStyle{}.max_findings;
  bool quiet = false;
  bool verbose = false;
  const CLI::App* app = nullptr;  // knows the order in which formats and files were given
};

// --format, -o, --html, --junit, --sarif, --markdown, --github, --provenance, --baseline, --update, --waivers,
// --fail-on,
// --max-findings, -q, -v, --color.
void add_output_options(CLI::App& command, OutputOptions& options);

// --max-inconclusive, of the commands whose results have cases.
void add_inconclusive_option(CLI::App& command, OutputOptions& options);

// The outputs, checked before the work begins, so that a mistyped option does not waste it.
class Deliverables {
 public:
  // `inputs` are files that the command reads and must not overwrite. `others` are files that it writes besides
  // reports.
  static tl::expected<Deliverables, std::string> prepare(const OutputOptions& options,
                                                         std::vector<NamedFile> inputs = {},
                                                         const std::vector<NamedFile>& others = {});

  // The gate for the results. `signal`: for RunEnd::interrupted.
  Gate gate(const Results& results, RunEnd end, int signal = 0) const;
  // Same for a shard, which has too few cases for --max-inconclusive.
  Gate gate_of_shard(const Results& results, RunEnd end, int signal) const;
  // The error if the baseline is from other protocols than these, in one line. Empty otherwise.
  std::string trouble_with_baseline(const std::set<std::string>& protocols) const;
  // Writes every report, even if one fails, and reports each failure. `unwritten` is the status of an output that
  // failed before, or 0. `shard` is the part of a run (Report::shard). Returns the exit status, which the reports also
  // state.
  int deliver(const Results& results, Gate gate, int unwritten = 0, const ShownTraffic* evidence = nullptr,
              const ShardNote* shard = nullptr) const;
  // The most that any of the formats needs.
  EvidenceNeed need() const;
  bool show_conversations() const { return need() == EvidenceNeed::conversations; }

 private:
  struct Target {
    const ReportFormat* format;
    std::string file;  // empty: standard output
    // The reader of standard output removes these lines, so another format may be written there too.
    bool beside = false;
  };

  // --html, --junit, --sarif, --markdown and --github. The error is one line.
  tl::expected<void, std::string> add_by_name(const OutputOptions& options);

  void tell_of_update(const Results& results, const Gate& gate, bool is_written) const;
  const Target* write_all(const Report& report, const std::vector<const Target*>& files, std::vector<Output>& written,
                          int& status) const;
  tl::expected<Output, int> write(const Report& report, const Target& target) const;  // not committed; or the status

  std::vector<Target> targets_;
  std::optional<Baseline> baseline_;
  std::optional<Waivers> waivers_;
  std::string started_;          // for --provenance; empty: not asked for
  std::vector<NamedFile> read_;  // files that the command reads
  FailOn fail_on_ = FailOn::must;
  unsigned max_inconclusive_ = kMaxInconclusive;
  std::string baseline_file_;
  bool updates_baseline_ = false;
  int for_people_ = 1;  // standard output; standard error if other output goes to standard output
  TextStyle style_;
};

// True if output to this descriptor has colours. `when` is auto, always or never. NO_COLOR is respected.
bool wants_colour(const std::string& when, int descriptor);
// Columns of the terminal on this descriptor; 100 if it is no terminal.
std::size_t columns_of(int descriptor);

}  // namespace wirelaw
