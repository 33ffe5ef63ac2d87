// SPDX-License-Identifier: Apache-2.0
// The parts of the page of a run, in their order.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "reports/html/conversation.h"
#include "reports/report.h"

namespace wirelaw::html {

// What a page may take. Beyond it the conversations of what passed, and then all conversations, are left out, and the
// page says so.
inline constexpr std::size_t kMostOctets = 9u << 20;
inline constexpr std::size_t kPassingConversations = 6u << 20;

// The names of verdicts and protocols that are filtered by; all that has data-v is a row of the filter.
void put_summary(std::string& page, const Report& report);
void put_first_failures(std::string& page, const Report& report);
void put_coverage(std::string& page, const Report& report);
void put_findings(std::string& page, const Report& report);
void put_cases(std::string& page, const Report& report);
void put_rules(std::string& page, const Report& report);
void put_flows(std::string& page, const Report& report);
void put_provenance(std::string& page, const RunProvenance& of, const Report& report);

// A rule's place on the page.
std::string anchor_of(const Rule& rule);
// The rules of which the page has the findings, under that anchor.
std::set<const Rule*> anchored_rules(const Results& results);
// The verdicts of rules; a rule that only a recorded run has failed has failed, as in the bottom line.
std::vector<RuleResult> rules_together(const Results& results);

// What the evidence has of the recording of this run; nullptr where it has nothing.
const ShownInput* input_of_run(const Report& report, const RecordedRun& run);

}  // namespace wirelaw::html
