// SPDX-License-Identifier: Apache-2.0
// Runs a script as a case: the tester sends the lines of one side, and expects those of the IUT.
#pragma once

#include <vector>

#include "conformance/case.h"
#include "conformance/script/language.h"
#include "conformance/script/syntax.h"

namespace wirelaw::script {

// The data of a script's case while it runs.
struct LivePart {
  const Part* part = nullptr;
  const Language* language = nullptr;
  Side iut = Side::b;
  // Rules that the script decides; a failure breaks the first, unless the line names another.
  std::vector<const Rule*> rules = {};
  // False: a line that is fulfilled exercises no rule. Only what the judge sees in the traffic does.
  bool exercises_rules = true;
};

// Plays the part. If a line of the IUT does not come, a rule is broken; if there is no rule, the case is inconclusive.
void play(const LivePart& part, CaseRun& run);

// The reason why the part cannot be played, with its line; for example, it closes a connection over datagrams.
std::optional<Problem> trouble_with_play(const LivePart& part);

}  // namespace wirelaw::script
