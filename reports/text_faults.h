// SPDX-License-Identifier: Apache-2.0
// Findings as text: all findings of a rule are one fault, with an example, a count, and a command that shows it again.
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
  std::vector<std::size_t> findings = {};  // indices of its findings, in order; not empty
};

// Returns the faults: failures of mandatory rules first, then warnings, each in the order in which they were found.
// Leaves out findings that were held back because the source was incomplete.
std::vector<Fault> faults_of(const std::vector<Finding>& findings);
// Same as above, for findings that were held back.
std::vector<Fault> held_back_of(const std::vector<Finding>& findings);

// Prints one block. `findings` contains those of the fault, `rules` the verdicts.
void put_fault(const Fault& fault, const std::vector<Finding>& findings, std::span<const RuleResult> rules,
               const Report& report, const Paint& paint, Output& out);

// The reason why a failure does not fail the run: "known: it is in the baseline", "waived …". Empty if it fails the
// run.
std::string standing_of(const Gate& gate, Failure::Kind kind, std::string_view id);

}  // namespace wirelaw
