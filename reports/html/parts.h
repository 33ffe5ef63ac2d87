// SPDX-License-Identifier: Apache-2.0
// The parts of the page for a run, in their order.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "reports/html/conversation.h"
#include "reports/report.h"

namespace wirelaw::html {

// The size limit of a page. If it is exceeded, the conversations of what passed are left out, and then all
// conversations; the page states that.
inline constexpr std::size_t kMostOctets = 9u << 20;
inline constexpr std::size_t kPassingConversations = 6u << 20;

// The verdicts and protocols that the filter offers. Everything with data-v is a row of the filter.
void put_summary(std::string& page, const Report& report);
void put_first_failures(std::string& page, const Report& report);
void put_coverage(std::string& page, const Report& report);
void put_findings(std::string& page, const Report& report);
void put_cases(std::string& page, const Report& report);
void put_rules(std::string& page, const Report& report);
void put_flows(std::string& page, const Report& report);
void put_provenance(std::string& page, const RunProvenance& of, const Report& report);

// The anchor of a rule on the page.
std::string anchor_of(const Rule& rule);
// The rules whose findings are on the page, under that anchor.
std::set<const Rule*> anchored_rules(const Results& results);
// The verdicts of rules. A rule that failed only in a recorded run counts as failed, as in the bottom line.
std::vector<RuleResult> rules_together(const Results& results);

// The evidence from the recording of this run. nullptr if there is none.
const ShownInput* input_of_run(const Report& report, const RecordedRun& run);

}  // namespace wirelaw::html
