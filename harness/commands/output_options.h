// SPDX-License-Identifier: Apache-2.0
// Where results go and what they mean for the exit status: the options that `check` and `test` share.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "reports/report.h"

namespace wirelaw {

struct OutputOptions {
  std::vector<std::string> formats, files;  // as given; see add_output_options
  std::string baseline;
  std::string fail_on = "must";
  std::string colour = "auto";
  std::size_t max_findings = TextStyle{}.max_findings;
  bool quiet = false;
  const CLI::App* app = nullptr;  // knows the order in which formats and files were given
};

// --format, -o, --baseline, --fail-on, --max-findings, -q, --color.
void add_output_options(CLI::App& command, OutputOptions& options);

// What is to be written, checked before the work begins so that no hour of it is lost to a mistyped option.
class Deliverables {
 public:
  static tl::expected<Deliverables, std::string> prepare(const OutputOptions& options);

  // Writes every report, also where one fails, and reports each that does. Gives the exit status.
  int deliver(const Results& results, RunEnd end) const;

 private:
  struct Target {
    const ReportFormat* format;
    std::string file;  // empty: standard output
  };

  int write(const Report& report, const Target& target) const;  // 0 where it is written

  std::vector<Target> targets_;
  std::optional<Baseline> baseline_;
  FailOn fail_on_ = FailOn::must;
  TextStyle style_;
};

// Whether colours are wanted on this descriptor; `when` is auto, always or never. NO_COLOR is honoured.
bool wants_colour(const std::string& when, int descriptor);
// Columns of the terminal on this descriptor; 100 where it is none.
std::size_t columns_of(int descriptor);

}  // namespace wirelaw
