// SPDX-License-Identifier: Apache-2.0
// Chooses the next input to try: an input of the corpus, with one or a few more changes. Most changes set one field to
// a value that is likely to matter, and keep lengths and checks correct. Some change the order of messages, and a few
// change arbitrary octets.
#pragma once

#include "harness/campaign/corpus.h"
#include "harness/campaign/random.h"
#include "harness/campaign/trial.h"

namespace wirelaw::campaign {

struct PlanOptions {
  Guidance guidance = Guidance::protocol;
  unsigned repair_percent = 80;  // percentage of changed messages whose structure is kept correct
  bool composes = true;          // phrases of script lines; false only for comparisons
};

// There is an entry whose case has sent something.
Input plan(Corpus& corpus, const Tester& tester, const PlanOptions& options, Random& random);

}  // namespace wirelaw::campaign
