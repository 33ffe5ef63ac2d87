// SPDX-License-Identifier: Apache-2.0
#include "reports/report.h"

#include <algorithm>

#include "reports/github.h"
#include "reports/html/html.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/sarif.h"
#include "reports/tap.h"
#include "reports/text.h"

namespace wirelaw {

std::span<const ReportFormat> report_formats() {
  static constexpr ReportFormat kFormats[] = {
      {"text", "for people", write_text, EvidenceNeed::inputs},
      {"json", "for programs; described by wirelaw-2.schema.json", write_json},
      {"junit", "JUnit XML, for the test pages of CI systems", write_junit},
      {"tap", "Test Anything Protocol 13, for harnesses that read it", write_tap},
      {"html", "one page that needs no network", write_html, EvidenceNeed::conversations},
      {"sarif", "SARIF 2.1.0, for code scanning", write_sarif, EvidenceNeed::inputs},
      {"markdown", "a summary for job pages", write_markdown},
      {"github", "annotations for the log of a GitHub action", write_github, EvidenceNeed::inputs},
  };
  return kFormats;
}

const ReportFormat* find_report_format(std::string_view name) {
  const auto formats = report_formats();
  const auto found = std::ranges::find(formats, name, &ReportFormat::name);
  return found == formats.end() ? nullptr : &*found;
}

std::string protocol_of(const Rule& rule) {
  if (!rule.protocol.empty()) return std::string(rule.protocol);
  std::string protocol(rule.id.substr(0, rule.id.find('-')));
  std::ranges::transform(protocol, protocol.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return protocol;
}

}  // namespace wirelaw
