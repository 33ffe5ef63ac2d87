// SPDX-License-Identifier: Apache-2.0
// Statistics of a campaign, over all its runs.
#pragma once

#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "harness/campaign/input_json.h"

namespace wirelaw::campaign {

struct Statistics {
  std::uint64_t runs = 0;        // inputs
  std::uint64_t executions = 0;  // conversations, those of replays included
  double seconds = 0;
  std::uint64_t corpus = 0, features = 0, findings = 0;
  // Inputs in the corpus that were not mutated yet, and how often each has been mutated at least.
  std::uint64_t pending = 0, cycles = 0;
  std::uint64_t states = 0, edges = 0;       // features: states by answer, edges by count
  std::uint64_t rules = 0, rules_known = 0;  // rules for the IUT's role that were exercised
  std::uint64_t unconfirmed = 0;             // breaches that did not recur
  std::uint64_t skipped = 0;                 // inputs whose case cannot be run here
  std::uint64_t deaths = 0;                  // number of deaths of the IUT's process
  std::uint64_t replays = 0, came_back = 0;  // replays of findings
  std::uint64_t last_new = 0;                // run in which something new was reached
  std::uint64_t last_finding = 0;
  double last_new_seconds = 0, last_finding_seconds = 0;
  // Features of inputs of the corpus, when they were new, and those of them that were reached once more by the same.
  std::uint64_t calibrated = 0, stable = 0;
  std::uint64_t resident_octets = 0, descriptors = 0;  // the most that the started process has used

  struct Sample {
    std::uint64_t runs = 0;
    double seconds = 0;
    std::uint64_t corpus = 0, features = 0, findings = 0, states = 0, rules = 0, edges = 0, executions = 0;
  };
  // Evenly spread over the runs, and not more than a page has room for.
  std::vector<Sample> timeline = {};
  std::uint64_t stride = 1;

  // Called after a run.
  void sample();
  // Percentage of features that are stable: 100 if the IUT does the same each time.
  double stability() const;
};

// Adds another campaign that started from the same inputs. Work done adds up; what was reached does not.
void add(Statistics& sum, const Statistics& one);

Json to_json(const Statistics& statistics);
Statistics statistics_of(const Json& json);

}  // namespace wirelaw::campaign
