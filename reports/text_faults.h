// SPDX-License-Identifier: Apache-2.0
// Findings as people read them: all that a rule found is one fault, with an example, a count, and how to see it again.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/report.h"
#include "reports/text_style.h"

namespace wirelaw {

struct Fault {
  const Rule* rule = nullptr;
  Severity severity = Severity::violation;
  std::vector<std::size_t> findings = {};  // their places among the findings, in order; not empty
};

// What failed, the mandatory first, then the warnings; each in the order in which they were found. Without what the
// judge held back because its source was incomplete.
std::vector<Fault> faults_of(const std::vector<Finding>& findings);
// Same, for findings that were held back.
std::vector<Fault> held_back_of(const std::vector<Finding>& findings);

// One block: `findings` are those that it was made of, `rules` the verdicts that go with them.
void put_fault(const Fault& fault, const std::vector<Finding>& findings, std::span<const RuleResult> rules,
               const Report& report, const Paint& paint, Output& out);

// Why a failure fails no run: "known: it is in the baseline", "waived …"; empty of one that does.
std::string standing_of(const Gate& gate, Failure::Kind kind, std::string_view id);

}  // namespace wirelaw
