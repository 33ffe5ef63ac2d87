// SPDX-License-Identifier: Apache-2.0
// Chooses what to try next: an input of the corpus, changed once or a few times more. Most changes are of one field, to
// a value that is likely to matter, with lengths and checks kept right; some of the order of messages; a few of octets
// wherever they are.
#pragma once

#include "harness/campaign/corpus.h"
#include "harness/campaign/random.h"
#include "harness/campaign/trial.h"

namespace wirelaw::campaign {

struct PlanOptions {
  Guidance guidance = Guidance::protocol;
  unsigned repair_percent = 80;  // how often the structure of a changed message is kept right
};

// There is an entry whose case has sent something.
Input plan(Corpus& corpus, const Tester& tester, const PlanOptions& options, Random& random);

}  // namespace wirelaw::campaign
