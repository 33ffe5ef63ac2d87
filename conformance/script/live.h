// SPDX-License-Identifier: Apache-2.0
// A script as a case: the tester says the lines of one side, and expects those of the IUT.
#pragma once

#include <vector>

#include "conformance/case.h"
#include "conformance/script/language.h"
#include "conformance/script/syntax.h"

namespace wirelaw::script {

// What a case of a script needs, for as long as it runs.
struct LivePart {
  const Part* part = nullptr;
  const Language* language = nullptr;
  Side iut = Side::b;
  std::vector<const Rule*> rules = {};  // those that the script decides; the first is broken if no line names another
};

// Plays the part. A line of the IUT that does not come breaks a rule; without any, the case is inconclusive.
void play(const LivePart& part, CaseRun& run);

// Why the part cannot be played, with the line: it closes a connection that datagrams do not have, say.
std::optional<Problem> trouble_with_play(const LivePart& part);

}  // namespace wirelaw::script
