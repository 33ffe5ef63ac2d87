// SPDX-License-Identifier: Apache-2.0
// Verdicts written down. A format is a row of report_formats(): adding one is adding a row.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "conformance/verdict.h"
#include "reports/gate.h"
#include "reports/output.h"

namespace wirelaw {

// How the text report looks; the other formats do not depend on it.
struct TextStyle {
  bool colour = false;
  bool quiet = false;             // the bottom line alone
  std::size_t width = 100;        // columns
  std::size_t max_findings = 50;  // printed; 0: all
};

struct Report {
  const Results& results;
  const Gate& gate;
  std::string_view version;  // of wirelaw
  TextStyle style = {};
};

struct ReportFormat {
  std::string_view name;  // the word of --format
  std::string_view purpose;
  void (*write)(const Report& report, Output& out);
};

std::span<const ReportFormat> report_formats();
const ReportFormat* find_report_format(std::string_view name);  // nullptr where there is none

// The protocol that a rule is of, in the words of the command line: "ramcloud" for RAMCLOUD-ack-5, "rdmap" for
// MPA-4.1-3. Of a rule that no protocol's catalogue lists, the first word of its id.
std::string protocol_of(const Rule& rule);

}  // namespace wirelaw
