// SPDX-License-Identifier: Apache-2.0
#include "reports/html/html.h"

#include "reports/html/page.h"
#include "reports/html/parts.h"

namespace wirelaw {

void write_html(const Report& report, Output& out) {
  std::string page;
  html::begin(page, report.subject.empty() ? "Wirelaw report" : fmt::format("{} (Wirelaw report)", report.subject));
  html::put_summary(page, report);
  html::put_first_failures(page, report);
  html::put_coverage(page, report);
  html::put_findings(page, report);
  html::put_cases(page, report);
  html::put_rules(page, report);
  html::put_flows(page, report);
  if (report.provenance != nullptr) html::put_provenance(page, *report.provenance, report);
  html::end(page, report.version);
  out.put(page);
}

}  // namespace wirelaw
